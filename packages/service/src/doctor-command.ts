import { setTimeout as pause } from 'node:timers/promises';
import { connectNats } from '@payroll/bus';
import { eventRoutes } from '@payroll/events';
import { lookAtOutbox, lookAtStreams } from '@payroll/messaging';
import {
  createLog,
  finding,
  findings,
  printFindings,
  readSettings,
  type Finding,
  type MainCommand,
} from '@payroll/process';
import { clockSkewSeconds, openDatabase, type Schema } from '@payroll/store';
import type { ServiceName } from '@payroll/admission';
import { partsSettings, type PartsConfig } from './config.js';

const CONNECT_WITHIN_MS = 5_000;
const MOST_SKEW_SECONDS = 2;

/** `doctor`: looks at what the service itself depends on, with its own rights; `npm run doctor` asks every service. */
export function doctorCommand(name: ServiceName, schema: Schema): MainCommand {
  return {
    help: 'says whether its database and its streams are as they should be (--json)',
    run: async (env, args) => {
      const config = readSettings(env, partsSettings);
      const all = [...(await lookAtDatabase(name, schema, config)), ...(await lookAtNats(name, config))];
      printFindings(all, args.includes('--json'));
    },
  };
}

async function lookAtDatabase(name: ServiceName, schema: Schema, { database }: PartsConfig): Promise<Finding[]> {
  const what = `${name} reaches its database`;
  return await findings(what, 'look at DATABASE_URL, the certificate and whether Postgres runs', async () => {
    const orm = await openDatabase(schema, database);
    try {
      const em = orm.em.fork();
      const skew = await clockSkewSeconds(em);
      const clocks = finding(
        `the clocks of ${name} and Postgres agree`,
        Math.abs(skew) < MOST_SKEW_SECONDS,
        `they differ by ${skew.toFixed(1)} s`,
        'set the clocks by NTP: tokens between processes are good for 15 s',
      );
      return [{ ok: true, what }, clocks, ...(await lookAtOutbox(em, name))];
    } finally {
      await orm.close();
    }
  });
}

async function lookAtNats(service: ServiceName, { nats, streamReplicas: replicas }: PartsConfig): Promise<Finding[]> {
  const log = createLog(`${service} doctor`, 'silent');
  await using bus = connectNats({ ...nats, name: `${service} doctor`, log });
  const deadline = performance.now() + CONNECT_WITHIN_MS;
  while (!bus.connected && performance.now() < deadline) await pause(50);
  const needed = Object.values(eventRoutes).filter(({ consumers }) => consumers.includes(service));
  const publishers = [...new Set(needed.map(({ publisher }) => publisher))];
  return await lookAtStreams({ bus, service, publishers, replicas });
}
