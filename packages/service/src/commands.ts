import type { ServiceName } from '@payroll/kernel';
import { readSettings, serveUntilStopped, type MainCommand } from '@payroll/process';
import { migrateCommand } from '@payroll/store';
import { buildSubgraph } from '@payroll/subgraph';
import { serviceSettings, type ProcessConfig } from './config.js';
import { type ServiceDefinition, type ServiceParts, serviceSubgraph } from './definition.js';
import { doctorCommand } from './doctor-command.js';
import { startService } from './serve.js';

/** The commands of a service's `main.ts`. */
export function serviceCommands<Name extends ServiceName>(
  definition: ServiceDefinition<Name>,
): Record<string, MainCommand> {
  return {
    serve: {
      help: 'answers its subgraph and consumes events until it is stopped',
      run: async (env) =>
        await serve(
          definition,
          readSettings(env, (s) => serviceSettings(s, definition.name)),
        ),
    },
    migrate: migrateCommand(definition.schema),
    schema: schemaCommand(definition),
    doctor: doctorCommand(definition.name, definition.schema),
  };
}

export async function serve<Name extends ServiceName>(
  definition: ServiceDefinition<Name>,
  config: ProcessConfig,
): Promise<void> {
  await serveUntilStopped(definition.name, config, (drain) => startService(definition, config, drain));
}

export function schemaCommand<Name extends ServiceName>(definition: ServiceDefinition<Name>): MainCommand {
  return {
    help: 'prints the subgraph schema',
    run: async () => {
      // Printing calls no resolver, so nothing behind them is needed.
      const { sdl } = await buildSubgraph(serviceSubgraph(definition, {} as ServiceParts));
      process.stdout.write(sdl);
    },
  };
}
