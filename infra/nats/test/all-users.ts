import { eventRoutes } from '@payroll/events';
import { SERVICES, type ServiceName } from '@payroll/kernel';
import { connect, errors, type NatsConnection } from '@nats-io/transport-node';
import type { Nats } from '@payroll/tools/local/nats';
import { startTestNats } from '@payroll/tools/local/test-server';

export function isConsumer(user: ServiceName, publisher: ServiceName): boolean {
  return Object.values(eventRoutes).some(
    (route) => route.publisher === publisher && route.consumers.some((consumer) => consumer === user),
  );
}

/** The pairs of consumer and publisher in the event catalogue. */
export const pairs = SERVICES.flatMap((consumer) =>
  SERVICES.filter((publisher) => isConsumer(consumer, publisher)).map((publisher) => [consumer, publisher] as const),
);

export interface AllUsers extends AsyncDisposable {
  readonly nats: Nats;
  as(user: ServiceName): NatsConnection;
  mayPublish(user: ServiceName, subject: string): Promise<boolean>;
  maySubscribe(user: ServiceName, subject: string): Promise<boolean>;
}

/** A dedicated server with every user connected to it. */
export async function connectAllUsers(): Promise<AllUsers> {
  const nats = await startTestNats();
  const connections = new Map<ServiceName, NatsConnection>();
  const refusals = new Map(SERVICES.map((user) => [user, new Set<string>()]));
  for (const user of SERVICES) {
    const connection = await connectAs(nats.urls[user]);
    connections.set(user, connection);
    void recordRefusals(connection, refusals.get(user));
  }
  const as = (user: ServiceName): NatsConnection => {
    const connection = connections.get(user);
    if (connection === undefined) throw new Error(`not connected: ${user}`);
    return connection;
  };
  return {
    nats,
    as,
    mayPublish: (user, subject) => mayPublish(as(user), refusals.get(user), subject),
    maySubscribe: (user, subject) => maySubscribe(as(user), subject),
    async [Symbol.asyncDispose]() {
      await Promise.all([...connections.values()].map((connection) => connection.close()));
      await nats[Symbol.asyncDispose]();
    },
  };
}

async function recordRefusals(connection: NatsConnection, refused: Set<string> | undefined): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'error' && status.error instanceof errors.PermissionViolationError) {
      refused?.add(status.error.subject);
    }
  }
}

/** The server's reply to one publication: a refusal arrives before the answer to the following ping. */
async function mayPublish(
  connection: NatsConnection,
  refused: Set<string> | undefined,
  subject: string,
): Promise<boolean> {
  refused?.delete(subject);
  connection.publish(subject, '{}');
  await connection.flush();
  // A second round trip: the status iterator reports the refusal in a later tick.
  await connection.flush();
  return refused?.has(subject) !== true;
}

/** A refused subscription ends with an error, an accepted one is still open after a round trip. */
async function maySubscribe(connection: NatsConnection, subject: string): Promise<boolean> {
  const subscription = connection.subscribe(subject, { callback: () => {} });
  await connection.flush();
  await connection.flush();
  const isOpen = !subscription.isClosed();
  subscription.unsubscribe();
  return isOpen;
}

/** The client reads no credentials from a URL, and its inboxes must be in the user's namespace. For tests. */
export function connectAs(natsUrl: string): Promise<NatsConnection> {
  const url = new URL(natsUrl);
  const user = decodeURIComponent(url.username);
  const pass = decodeURIComponent(url.password);
  return connect({ servers: url.host, user, pass, inboxPrefix: `_INBOX_${user}`, maxReconnectAttempts: 0 });
}
