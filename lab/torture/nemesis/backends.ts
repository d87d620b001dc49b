import { serviceSchemas } from '@payroll/infra/postgres/roles';
import type { Disk } from '../system/system.js';
import { type Arena, oneOf } from './arena.js';
import type { Aim, Blow } from './nemesis.js';
import { signal } from '../system/instances.js';

const always = (aim: Aim) => (): Aim => aim;

/** Postgres and NATS are killed, stay down, respond slowly or run out of disk. */
export function blowsToBackends(arena: Arena): Blow[] {
  const { postgres, nats } = arena.stage.stack;
  const { disk } = arena.stage;
  const ofPostgres = { about: 'Postgres', targets: ['Postgres'] };
  const ofNats = { about: 'NATS', targets: ['NATS'] };
  const endPostgres = (by: NodeJS.Signals) => () => arena.withPostgres(() => postgres.kill(by));
  return [
    { kind: 'Postgres stopped at once', weight: 2, aim: always({ ...ofPostgres, strike: endPostgres('SIGQUIT') }) },
    { kind: 'Postgres restarted', weight: 1, aim: always({ ...ofPostgres, strike: endPostgres('SIGINT') }) },
    { kind: 'service shut out of Postgres', weight: 2, aim: () => shutOut(arena) },
    { kind: 'NATS killed', weight: 2, aim: always({ ...ofNats, strike: () => nats.kill('SIGKILL') }) },
    {
      kind: 'NATS down',
      weight: 1,
      aim: always({
        ...ofNats,
        strike: async () => {
          await nats.stop();
          return () => nats.start();
        },
      }),
    },
    {
      kind: 'NATS paused',
      weight: 1,
      aim: always({
        ...ofNats,
        strike: async () => {
          const { pid } = nats;
          signal(pid, 'SIGSTOP');
          return async () => signal(pid, 'SIGCONT');
        },
      }),
    },
    ...full('disk of Postgres full', ofPostgres, disk, () => postgres.kill('SIGINT')),
  ];
}

function shutOut({ stage: { database }, random }: Arena): Aim {
  const role = oneOf({ random }, serviceSchemas);
  return {
    about: role,
    targets: ['histories'],
    strike: async () => {
      await database.cutOff(role);
      return () => database.letIn(role);
    },
  };
}

function full(
  kind: string,
  of: Pick<Aim, 'about' | 'targets'>,
  disk: Disk | null,
  restart: () => Promise<void>,
): Blow[] {
  if (disk === null) return [];
  const strike = async () => {
    disk.fill(1);
    return async () => {
      disk.free();
      await restart();
    };
  };
  return [{ kind, weight: 1, aim: always({ ...of, targets: [...of.targets, 'histories'], strike }) }];
}
