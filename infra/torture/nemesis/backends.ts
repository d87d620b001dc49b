import { setTimeout as pause } from 'node:timers/promises';
import type { Disk } from '../stage/disks.js';
import { oneOf, type Arena } from './arena.js';
import type { Aim, Blow } from './nemesis.js';
import { signal } from '../stage/victims.js';

/** For events to be applied by one consumer, and to wait for another. */
const LONG_ENOUGH_MS = 2_000;

const always = (aim: Aim) => (): Aim => aim;

/** Postgres and NATS go, stay away, are slow to answer, or have no room. */
export function blowsToBackends(arena: Arena): Blow[] {
  const { postgres, nats } = arena.stage.stack;
  const { disks } = arena.stage;
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
    { kind: 'NATS wiped', weight: 1, aim: always({ ...ofNats, strike: () => nats.wipe() }) },
    { kind: 'NATS wiped while a service is shut out of Postgres', weight: 2, aim: () => wipedMeanwhile(arena) },
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
    ...full('disk of Postgres full', ofPostgres, disks.postgres, () => postgres.kill('SIGINT')),
    // A server that had no room has closed its streams: whoever makes room starts it again.
    ...full('disk of JetStream full', ofNats, disks.nats, () => nats.kill('SIGTERM')),
  ];
}

function shutOut({ stage: { database }, random }: Arena): Aim {
  const role = oneOf({ random }, ['contracts', 'review', 'payments', 'workspaces', 'rest_facade']);
  return {
    about: role,
    targets: ['histories'],
    strike: async () => {
      await database.cutOff(role);
      return () => database.letIn(role);
    },
  };
}

/** What one consumer has applied and another has not is in no stream any more. */
function wipedMeanwhile(arena: Arena): Aim {
  const { about, targets, strike } = shutOut(arena);
  return {
    about,
    targets: [...targets, 'NATS'],
    holdMs: [0, 500],
    strike: async () => {
      const letIn = await strike();
      await pause(LONG_ENOUGH_MS);
      await arena.stage.stack.nats.wipe();
      return letIn;
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
