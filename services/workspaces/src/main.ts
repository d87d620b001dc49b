import { runMain } from '@payroll/process';
import { doctorCommand, schemaCommand, serve } from '@payroll/service';
import { migrateCommand } from '@payroll/store';
import { readConfig } from './config.js';
import { createAccessTokenCommand } from './operator/create-access-token.js';
import { createTokenCommand } from './operator/create-token.js';
import { createWorkspaceCommand } from './operator/create-workspace.js';
import { listTokensCommand } from './operator/list-tokens.js';
import { revokeTokenCommand } from './operator/revoke-token.js';
import { setPasswordCommand } from './operator/set-password.js';
import { rotateSigningKeyCommand } from './operator/rotate-signing-key.js';
import { workspacesService } from './service.js';
import { workspacesSchema } from './store/schema.js';

await runMain('workspaces', process, {
  serve: {
    help: 'answers admission and its subgraph until it is stopped',
    run: async (env) => {
      const config = readConfig(env);
      await serve(workspacesService(config), config);
    },
  },
  migrate: migrateCommand(workspacesSchema),
  schema: schemaCommand(
    workspacesService({ deployment: 'test', actorKeys: {} as never, web: {} as never, oauth: null }),
  ),
  doctor: doctorCommand('workspaces', workspacesSchema),
  'create-workspace': createWorkspaceCommand,
  'create-token': createTokenCommand,
  'list-tokens': listTokensCommand,
  'revoke-token': revokeTokenCommand,
  'create-access-token': createAccessTokenCommand,
  'set-password': setPasswordCommand,
  'rotate-signing-key': rotateSigningKeyCommand,
});
