import type { ServiceName } from '@payroll/kernel';
import { connectNats, checkOutbox } from '@payroll/commands';
import {
  createLog,
  checkResult,
  checkCommand,
  readSettings,
  serveUntilStopped,
  type CheckResult,
  type MainCommand,
} from '@payroll/runtime';
import { checkDatabase, migrateCommand, type Schema } from '@payroll/store';
import { buildSubgraph } from './graphql/schema.js';
import { deadLettersCommand } from './dead-letters/shell.js';
import { partsSettings, serviceSettings, type PartsConfig, type ProcessConfig } from './config.js';
import { type ServiceDefinition, type ServiceDependencies, serviceSubgraph } from './definition.js';
import { startService } from './serve.js';

export function serviceCommands<Name extends ServiceName>(
  definition: ServiceDefinition<Name>,
): Record<string, MainCommand> {
  const { name, schema } = definition;
  return {
    serve: {
      help: 'answers its subgraph and consumes events until it is stopped',
      run: async (env) =>
        await serve(
          definition,
          readSettings(env, (s) => serviceSettings(s, name)),
        ),
    },
    migrate: migrateCommand(schema),
    schema: schemaCommand(definition),
    doctor: doctorCommand(name, schema),
    'dead-letters': deadLettersCommand(name, schema),
  };
}

export async function serve<Name extends ServiceName>(
  definition: ServiceDefinition<Name>,
  config: ProcessConfig,
): Promise<void> {
  await serveUntilStopped(definition.name, config, (drain) => startService(definition, config, drain));
}

function schemaCommand<Name extends ServiceName>(definition: ServiceDefinition<Name>): MainCommand {
  return {
    help: 'prints the subgraph schema',
    run: async () => {
      // Printing calls no resolver, so it needs no parts.
      const { sdl } = await buildSubgraph(serviceSubgraph(definition, {} as ServiceDependencies));
      process.stdout.write(sdl);
    },
  };
}

/** `doctor`: checks what the service itself depends on, with its own rights; `npm run doctor` asks every service. */
function doctorCommand(name: ServiceName, schema: Schema): MainCommand {
  return checkCommand(
    'says whether its database is as it should be, and whether it reaches NATS (--json)',
    async (env) => {
      const config = readSettings(env, partsSettings);
      const inDatabase = await checkDatabase(name, schema, config.database, (em) => checkOutbox(em, name));
      return [...inDatabase, await checkNats(name, config)];
    },
  );
}

async function checkNats(service: ServiceName, { nats }: PartsConfig): Promise<CheckResult> {
  const log = createLog(`${service} doctor`, 'silent');
  await using bus = connectNats({ ...nats, name: `${service} doctor`, log });
  await bus.subscribed();
  return checkResult(
    `${service} reaches NATS`,
    bus.connected,
    'no connection',
    'look at NATS_URL, the certificate and whether nats runs (its log says who was refused and why)',
  );
}
