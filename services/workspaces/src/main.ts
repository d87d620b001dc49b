import { runMain } from '@payroll/process';
import { deadLettersCommand, doctorCommand, schemaCommand, serve } from '@payroll/service';
import { migrateCommand } from '@payroll/store';
import { readConfig } from './config.js';
import { createAccessTokenCommand, rotateSigningKeyCommand } from './operator/authorization-server.js';
import { createTokenCommand, listTokensCommand, revokeTokenCommand } from './operator/tokens.js';
import { createWorkspaceCommand } from './operator/create-workspace.js';
import { setPasswordCommand } from './operator/set-password.js';
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
  'dead-letters': deadLettersCommand('workspaces', workspacesSchema),
  'create-workspace': createWorkspaceCommand,
  'create-token': createTokenCommand,
  'list-tokens': listTokensCommand,
  'revoke-token': revokeTokenCommand,
  'create-access-token': createAccessTokenCommand,
  'set-password': setPasswordCommand,
  'rotate-signing-key': rotateSigningKeyCommand,
});
