import type { Bus } from '@payroll/bus';
import type { ServiceName } from '@payroll/kernel';
import { finding, findings, type Finding } from '@payroll/process';
import type { JetStreamAccountStats, NatsConnection } from 'nats';
import { consumerSettings, differs, streamManager, streamOf, streamSettings } from './streams.js';

/** More than a busy minute leaves: more means that nobody consumes them. */
const MOST_WAITING = 1_000;

interface StreamsOptions {
  bus: Bus;
  service: ServiceName;
  publishers: readonly ServiceName[];
  replicas: number;
}

/** Whether JetStream has what the service created there, with its settings, and whether the service keeps up. */
export async function lookAtStreams({ bus, service, publishers, replicas }: StreamsOptions): Promise<Finding[]> {
  const { connection } = bus;
  const reachable = finding(
    `${service} reaches NATS`,
    connection !== undefined,
    'no connection within the time',
    'look at NATS_URL, the certificate and whether nats runs (its log says who was refused and why)',
  );
  if (!connection) return [reachable];
  return [
    reachable,
    ...(await lookAtStorage(connection, service)),
    ...(await lookAtStream(connection, service, replicas)),
    ...(await Promise.all(publishers.map((publisher) => lookAtConsumer(connection, publisher, service)))).flat(),
  ];
}

async function lookAtStream(connection: NatsConnection, service: ServiceName, replicas: number): Promise<Finding[]> {
  const what = `the stream ${streamOf(service)} is there`;
  return await findings(what, `start ${service}: it makes its stream and fills it again`, async () => {
    const manager = await streamManager(connection);
    const { config, cluster } = await manager.streams.info(streamOf(service));
    const behind = (cluster?.replicas ?? []).filter(({ current, offline }) => offline === true || !current);
    return [
      { ok: true, what },
      lookAtSettings(`the stream ${streamOf(service)}`, service, differs(config, streamSettings(service))),
      finding(
        `${streamOf(service)} has ${replicas} replicas`,
        config.num_replicas === replicas,
        `it has ${config.num_replicas}`,
        'restart the service: it changes the stream to STREAM_REPLICAS if the cluster has as many servers',
      ),
      finding(
        `every replica of ${streamOf(service)} is current`,
        behind.length === 0,
        `not so: ${behind.map(({ name }) => name).join(', ')}`,
        'look at these NATS servers',
      ),
    ];
  });
}

async function lookAtConsumer(
  connection: NatsConnection,
  publisher: ServiceName,
  service: ServiceName,
): Promise<Finding[]> {
  const stream = streamOf(publisher);
  const what = `${service} consumes ${stream}`;
  return await findings(what, `start ${publisher}, then ${service}: each makes its part`, async () => {
    const manager = await streamManager(connection);
    const info = await manager.consumers.info(stream, service);
    return [
      { ok: true, what },
      lookAtSettings(`the consumer ${service} of ${stream}`, service, differs(info.config, consumerSettings)),
      finding(
        `${service} keeps up with ${stream}`,
        info.num_pending < MOST_WAITING,
        `${info.num_pending} events wait, ${info.num_ack_pending} are in hand`,
        `look at the log of ${service}; a second process of it takes half`,
      ),
    ];
  });
}

function lookAtSettings(thing: string, service: ServiceName, changes: readonly string[]): Finding {
  return finding(
    `${thing} is set as ${service} sets it`,
    changes.length === 0,
    `otherwise: ${changes.join(', ')}`,
    `restart ${service}: it changes them; its log says what the server would not change`,
  );
}

/** The rest must last until somebody has made room. */
const MOST_USED_SHARE = 0.8;

async function lookAtStorage(connection: NatsConnection, service: string): Promise<Finding[]> {
  const todo = 'JetStream is off or busy with itself: the log of NATS says why; a full disk is a common reason';
  return await findings(roomFor(service), todo, async () => {
    const manager = await streamManager(connection);
    return [compareStorage(service, await manager.getAccountInfo())];
  });
}

const roomFor = (service: string): string => `JetStream has room for what ${service} tells others`;

/** Newer servers also report what streams have reserved. */
type Storage = Pick<JetStreamAccountStats, 'storage' | 'limits'> & { reserved_storage?: number };

/** Exported for its test. Without a limit an account has its server's disk, which `npm run doctor` checks. */
export function compareStorage(service: string, { storage, reserved_storage: reserved = 0, limits }: Storage): Finding {
  const limit = limits.max_storage;
  const used = Math.max(storage, reserved);
  return finding(
    roomFor(service),
    limit <= 0 || used < MOST_USED_SHARE * limit,
    `${mebibytes(storage)} are used and ${mebibytes(reserved)} reserved, of ${mebibytes(limit)} that the account may have`,
    'have the limit of the NATS account raised; meanwhile events wait in the outboxes, and nothing is lost',
  );
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MiB`;
}
