import { setTimeout as pause } from 'node:timers/promises';
import type { Machine } from './machine.js';
import type { Rig } from './rig.js';

export interface Cast {
  rig: Rig;
  primary: Machine;
  standbys: Machine[];
  /** How a transaction of a service's role ends, whose time-outs are 3 and 5 s; undefined if it has not by then. */
  endOfCommit: (withinMs: number) => Promise<string | undefined>;
}

export interface Scene {
  title: string;
  /** Writes are back this soon, counted from the strike, or from the end where the scene has one. */
  withinMs: number;
  strike: (cast: Cast) => void | Promise<void>;
  /** Afterwards another server is the primary. */
  movesPrimary?: true;
  /** While no write can be replicated: none may be acknowledged. Returns what should not have been. */
  silence?: (cast: Cast) => Promise<string[]>;
  /** Ends the silence. */
  end?: (cast: Cast) => void | Promise<void>;
  /** Writes are watched for at least as long. */
  watchMs?: number;
  /** Repairs what is still broken when writes are back. */
  repair?: (cast: Cast) => void | Promise<void>;
}

const FAILOVER_MS = 30_000;
const SWITCHOVER_MS = 10_000;

const isPatroni = (_: number, commandLine: string): boolean => commandLine.includes('/patroni ');
const isPostgres = (_: number, commandLine: string): boolean =>
  commandLine.includes('postgres') && !commandLine.includes('patroni');

const WATCHES_MS = 30_000;

/** Each client has sent its approval again. */
const RETRIES_MS = 8_000;

const cutStandbys = ({ standbys }: Cast): void => standbys.forEach((each) => each.cut());
const joinStandbys = ({ standbys }: Cast): void => standbys.forEach((each) => each.join());

export const SCENES: readonly Scene[] = [
  {
    title: 'primary killed',
    movesPrimary: true,
    withinMs: FAILOVER_MS,
    strike: ({ primary }) => primary.kill(),
    repair: ({ primary }) => primary.start(),
  },
  {
    title: 'primary cut off',
    movesPrimary: true,
    withinMs: FAILOVER_MS,
    strike: ({ primary }) => primary.cut(),
    repair: ({ primary }) => primary.join(),
  },
  {
    title: 'primary frozen',
    movesPrimary: true,
    withinMs: FAILOVER_MS,
    strike: ({ primary }) => primary.signal('SIGSTOP'),
    repair: ({ primary }) => primary.signal('SIGCONT'),
  },
  {
    // Postgres lives on as a primary that nothing supervises: the balancer must end its sessions before the lease expires.
    title: 'Patroni frozen',
    movesPrimary: true,
    withinMs: FAILOVER_MS,
    strike: ({ primary }) => primary.signal('SIGSTOP', isPatroni),
    watchMs: 30_000,
    repair: ({ primary }) => primary.signal('SIGCONT', isPatroni),
  },
  {
    title: 'both standbys cut',
    withinMs: FAILOVER_MS,
    strike: cutStandbys,
    silence: async ({ endOfCommit }) => {
      const end = await endOfCommit(12_000);
      return end === undefined ? [] : [`a commit that no standby has was answered: ${end}`];
    },
    end: joinStandbys,
  },
  {
    title: 'etcd without majority',
    withinMs: FAILOVER_MS,
    strike: ({ rig }) => rig.consensus.slice(1).forEach((each) => each.cut()),
    watchMs: 30_000,
    repair: async ({ rig }) => {
      rig.consensus.slice(1).forEach((each) => each.join());
      // Patroni's watches of etcd have ended, and it notices late: until then a switchover takes two of its rounds more.
      await pause(WATCHES_MS);
    },
  },
  {
    title: 'switchover',
    movesPrimary: true,
    withinMs: SWITCHOVER_MS,
    strike: ({ rig }) => rig.switchOver(),
  },
  {
    // The restart shows transactions that waited for a standby, and that are lost with this server. Patroni has removed both
    // standbys from the quorum, so a person has to promote one.
    title: 'primary restarted, then lost',
    movesPrimary: true,
    withinMs: FAILOVER_MS,
    strike: cutStandbys,
    silence: async ({ rig, primary }) => {
      await pause(RETRIES_MS);
      primary.signal('SIGKILL', isPostgres);
      await pause(2_000);
      await rig.serves(primary);
      await pause(RETRIES_MS);
      return [];
    },
    end: async (cast) => {
      await cast.primary.kill();
      joinStandbys(cast);
      await cast.rig.promoteByHand(cast.standbys);
    },
    repair: ({ primary }) => primary.start(),
  },
];
