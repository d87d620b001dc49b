import type { ServiceName } from '@payroll/kernel';
import {
  serveNewestEvent,
  answerEvents,
  retryDeadLetters,
  fetchNewestEvent,
  type Bus,
  Commands,
  connectNats,
  type EventCommand,
  OutboxRelay,
} from '@payroll/commands';
import { createLog, createReadinessCheck, type Drain } from '@payroll/runtime';
import { mapDatabaseError, lookForDatabase, observePool, openDatabase } from '@payroll/store';
import { buildSubgraph } from './graphql/schema.js';
import { createSubgraphServer } from './graphql/server.js';
import type { ServiceConfig } from './config.js';
import { type ServiceDefinition, type ServiceDependencies, serviceSubgraph } from './definition.js';
import { startRetention, startBackgroundJob } from './runner.js';

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
  const bus = starting.use(connectNats({ ...config.nats, name, log }));
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
  const server = starting.adopt(await createSubgraphServer(about), (open) => open.close());
  drain.watch(server.server);
  if (definition.edge) starting.use(await definition.edge(parts, drain, missing));
  // Only now: an earlier question would wait until everything else is put together.
  serveNewestEvent({ bus, em, service: name });
  answerEvents({ bus, em, commands, service: name, appliedBy, log });
  definition.requestHandlers?.(parts);
  // A process that is ready answers the others. Without NATS it is ready too: most of what it does needs none (ADR 09).
  await bus.subscribed();
  await server.listen({ host: config.listenHost, port: config.listenPort });
  const work = (stopping: AbortSignal) => retryDeadLetters({ em, commands, appliedBy, log }, stopping);
  starting.use(startBackgroundJob({ name: 'dead-letters', everyMs: PUT_BACK_EVERY_MS, work, log }));
  starting.use(startRetention(em, log, config.eventRetentionDays));
  for (const each of definition.background?.(parts) ?? []) starting.use(each);
  return starting.move();
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
