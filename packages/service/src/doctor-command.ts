import { setTimeout as pause } from 'node:timers/promises';
import { connectNats } from '@payroll/bus';
import { publishersFor } from '@payroll/events';
import type { ServiceName } from '@payroll/kernel';
import { lookAtOutbox, lookAtStreams } from '@payroll/messaging';
import { createLog, findingsCommand, readSettings, type Finding, type MainCommand } from '@payroll/process';
import { lookAtDatabase, type Schema } from '@payroll/store';
import { partsSettings, type PartsConfig } from './config.js';

const CONNECT_WITHIN_MS = 5_000;

/** `doctor`: looks at what the service itself depends on, with its own rights; `npm run doctor` asks every service. */
export function doctorCommand(name: ServiceName, schema: Schema): MainCommand {
  return findingsCommand('says whether its database and its streams are as they should be (--json)', async (env) => {
    const config = readSettings(env, partsSettings);
    const inDatabase = await lookAtDatabase(name, schema, config.database, (em) => lookAtOutbox(em, name));
    return [...inDatabase, ...(await lookAtNats(name, config))];
  });
}

async function lookAtNats(service: ServiceName, { nats, streamReplicas: replicas }: PartsConfig): Promise<Finding[]> {
  const log = createLog(`${service} doctor`, 'silent');
  await using bus = connectNats({ ...nats, name: `${service} doctor`, log });
  const deadline = performance.now() + CONNECT_WITHIN_MS;
  while (!bus.connected && performance.now() < deadline) await pause(50);
  return await lookAtStreams({ bus, service, publishers: publishersFor(service), replicas });
}
