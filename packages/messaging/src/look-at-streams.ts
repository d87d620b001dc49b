import type { Bus } from '@payroll/bus';
import type { ServiceName } from '@payroll/kernel';
import { finding, findings, type Finding } from '@payroll/process';
import type { NatsConnection } from 'nats';
import { differs } from './differs.js';
import { consumerSettings } from './durable-consumer.js';
import { lookAtStorage } from './look-at-storage.js';
import { streamManager, streamOf, streamSettings } from './stream.js';

/** More than a busy minute leaves; what lies longer is not being consumed. */
const MOST_WAITING = 1_000;

export interface StreamsOptions {
  bus: Bus;
  service: ServiceName;
  /** Whose events the service consumes. */
  publishers: readonly ServiceName[];
  replicas: number;
}

/** Whether JetStream has what a service made there, as it made it, and keeps up. */
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
  const what = `${service} consumes ${streamOf(publisher)}`;
  return await findings(what, `start ${publisher}, then ${service}: each makes its part`, async () => {
    const manager = await streamManager(connection);
    const info = await manager.consumers.info(streamOf(publisher), service);
    return [
      { ok: true, what },
      lookAtSettings(
        `the consumer ${service} of ${streamOf(publisher)}`,
        service,
        differs(info.config, consumerSettings),
      ),
      finding(
        `${service} keeps up with ${streamOf(publisher)}`,
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
