import { createLog, runMain } from '@payroll/runtime';
import { serve, serviceCommands } from '@payroll/service';
import { readConfig } from './config.js';
import {
  createAccessTokenCommand,
  rotateSigningKeyCommand,
  createTokenCommand,
  listTokensCommand,
  revokeKeyCommand,
  revokeTokenCommand,
} from './operator/credentials.js';
import { createWorkspaceCommand } from './operator/create-workspace.js';
import { giveWorkerAccessCommand, resetSecondFactorCommand, setPasswordCommand } from './operator/accounts.js';
import { Mailer } from './mail/mailer.js';
import { workspacesService } from './service.js';

/** For commands that do not issue or verify credentials. */
const withoutKeys = workspacesService({
  deployment: 'test',
  cell: null,
  actorKeys: {} as never,
  admission: {} as never,
  secondFactorKeys: [],
  web: {} as never,
  mailer: null,
  oauth: null,
});

await runMain('workspaces', process, {
  ...serviceCommands(withoutKeys),
  serve: {
    help: 'answers admission and its subgraph until it is stopped',
    run: async (env) => {
      const config = readConfig(env);
      using mailer = config.mail && new Mailer(config.mail, createLog('workspaces', config.logLevel));
      await serve(workspacesService({ ...config, mailer }), config);
    },
  },
  'create-workspace': createWorkspaceCommand,
  'create-token': createTokenCommand,
  'list-tokens': listTokensCommand,
  'revoke-token': revokeTokenCommand,
  'revoke-key': revokeKeyCommand,
  'create-access-token': createAccessTokenCommand,
  'set-password': setPasswordCommand,
  'reset-second-factor': resetSecondFactorCommand,
  'give-worker-access': giveWorkerAccessCommand,
  'rotate-signing-key': rotateSigningKeyCommand,
});
