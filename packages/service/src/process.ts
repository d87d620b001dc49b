import type { KeyObject } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  natsSettings,
  Bus,
  checkOutbox,
  serveNewestEvent,
  answerEvents,
  retryDeadLetters,
  fetchNewestEvent,
  Commands,
  type EventCommand,
  OutboxRelay,
  clearExpiredOutcomes,
  deleteExpiredEvents,
} from '@payroll/commands';
import { SERVICE_PORTS, type ServiceName } from '@payroll/kernel';
import {
  processSettings,
  type ProcessConfig as AnyProcessConfig,
  type Settings,
  type Deployment,
  createLog,
  checkResult,
  checkCommand,
  readSettings,
  openServer,
  serveUntilStopped,
  type CheckResult,
  type MainCommand,
  createReadinessCheck,
  type Drain,
  type Log,
} from '@payroll/runtime';
import {
  databaseSettings,
  MIN_EVENT_RETENTION_DAYS,
  checkDatabase,
  migrateCommand,
  type Schema,
  mapDatabaseError,
  lookForDatabase,
  observePool,
  openDatabase,
  OUTCOME_RETENTION_DAYS,
} from '@payroll/store';
import { buildSubgraph } from './graphql/schema.js';
import { deadLettersCommand } from './dead-letters/shell.js';
import { type ServiceDefinition, type ServiceDependencies, serviceSubgraph } from './definition.js';
import { createSubgraphServer } from './graphql/server.js';
import { startBackgroundJob } from './runner.js';

type PartsConfig = ReturnType<typeof partsSettings>;

/** The settings of every service (docs/settings.md). */
export interface ProcessConfig extends PartsConfig, AnyProcessConfig {
  /** Verify the actor tokens made for this service: one key, or two while it is rotated. */
  actorTokenKeys: readonly KeyObject[];
  eventRetentionDays: number;
  deployment: Deployment;
}

/** Without the settings of the process around it. */
type ServiceConfig = Omit<ProcessConfig, 'drainSeconds' | 'telemetry'>;

function partsSettings(s: Settings) {
  return { database: databaseSettings(s), nats: natsSettings(s) };
}

export function serviceSettings(s: Settings, service: ServiceName): ProcessConfig {
  return {
    ...processSettings(s, SERVICE_PORTS[service]),
    ...partsSettings(s),
    actorTokenKeys: s.ownKeys('ACTOR_KEY'),
    // Live by default, so that test features must be turned on.
    deployment: s.choice('DEPLOYMENT', ['test', 'live'], 'live'),
    eventRetentionDays: s.wholeNumber('EVENT_RETENTION_DAYS', { from: MIN_EVENT_RETENTION_DAYS, to: 3_650 }, 30),
  };
}

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
  return checkCommand('says whether its database is as it should be, and whether it reaches NATS', async (env) => {
    const config = readSettings(env, partsSettings);
    const inDatabase = await checkDatabase(name, schema, config.database, (em) => checkOutbox(em, name));
    return [...inDatabase, await checkNats(name, config)];
  });
}

async function checkNats(service: ServiceName, { nats }: PartsConfig): Promise<CheckResult> {
  const log = createLog(`${service} doctor`, 'silent');
  await using bus = new Bus({ ...nats, name: `${service} doctor`, log });
  await bus.subscribed();
  return checkResult(
    `${service} reaches NATS`,
    bus.connected,
    'no connection',
    'look at NATS_URL, the certificate and whether nats runs (its log says who was refused and why)',
  );
}

/** A person waits for it. */
const PUT_BACK_EVERY_MS = 1_000;

/** A service that runs until it is disposed of: then it finishes what it took, newest part first. */
export async function startService<Name extends ServiceName>(
  definition: ServiceDefinition<Name>,
  config: ServiceConfig,
  drain: Drain,
): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  const { name } = definition;
  const log = createLog(name, config.logLevel);
  const orm = starting.adopt(await openDatabase(definition.schema, config.database), (open) => open.close());
  const em = orm.em.fork();
  starting.use(observePool(em));
  const bus = starting.use(new Bus({ ...config.nats, name, log }));
  const relay = starting.use(new OutboxRelay({ bus, em, service: name, log }));
  const commands = new Commands({ em, relay });
  const { deployment } = config;
  const parts: ServiceDependencies = { em, bus, commands, log, deployment, learn: createRefresher(bus, commands) };
  const appliedBy = definition.consumers;
  const missing = createReadinessCheck(drain, { database: () => lookForDatabase(em, definition.schema) });
  const { schema } = await buildSubgraph(serviceSubgraph(definition, parts));
  const about = {
    service: name,
    actorTokenKeys: config.actorTokenKeys,
    schema,
    log,
    mapDatabaseError,
    waitingFor: missing,
  };
  const server = await createSubgraphServer(about);
  if (definition.edge) starting.use(await definition.edge(parts, drain, missing));
  // Only now: an earlier question would wait until everything else is put together.
  serveNewestEvent({ bus, em, service: name });
  answerEvents({ bus, em, commands, service: name, appliedBy, log });
  definition.requestHandlers?.(parts);
  // A process that is ready answers the others. Without NATS it is ready too: most of what it does needs none (ADR 09).
  await bus.subscribed();
  starting.use(await openServer(server, drain, config));
  const work = (stopping: AbortSignal) => retryDeadLetters({ em, commands, appliedBy, log }, stopping);
  starting.use(startBackgroundJob({ name: 'dead-letters', everyMs: PUT_BACK_EVERY_MS, work, log }));
  starting.use(startRetention(em, log, config.eventRetentionDays));
  for (const each of definition.background?.(parts) ?? []) starting.use(each);
  return starting.move();
}

/** Deletes expired outcomes and events, so that a service's own tables grow with its work and not with its age. */
function startRetention(em: EntityManager, log: Log, eventDays: number): AsyncDisposable {
  const work = async (): Promise<void> => {
    const forgotten =
      (await clearExpiredOutcomes(em, OUTCOME_RETENTION_DAYS)) + (await deleteExpiredEvents(em, eventDays));
    if (forgotten > 0) log.info({ forgotten }, 'Let go of rows past their retention');
  };
  return startBackgroundJob({ name: 'retention', everyMs: 10 * 60_000, work, log });
}

/** `learn` over this bus; it applies events as the consumers do. */
export function createRefresher(
  bus: Pick<Bus, 'request'>,
  runner: Pick<Commands, 'apply'>,
): ServiceDependencies['learn'] {
  return async (commands, about, isNews = () => true) => {
    const event = await fetchNewestEvent(bus, Object.keys(commands) as (keyof typeof commands)[], about);
    if (event === null || !isNews(event)) return event;
    await runner.apply(commands[event.type] as EventCommand, event);
    return event;
  };
}
