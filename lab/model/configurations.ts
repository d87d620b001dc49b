import { approvals } from './approvals.ts';
import { changeClock } from './change-clock.ts';
import type { Fault, Faults } from './names.ts';
import { type RequestBounds, requests } from './requests.ts';
import { type Explored, explore } from './search.ts';
import type { Bounds } from './world.ts';

interface Run {
  faults: Faults;
  mostStates: number;
}

export interface Configuration {
  name: string;
  says: string;
  /** The faults that it must find. */
  finds: readonly Fault[];
  /** Left out of the short form. */
  isLong: boolean;
  explore: (run: Run) => Explored;
}

type Size = Omit<Bounds, 'faults'>;
type RequestSize = Omit<RequestBounds, 'faults'>;

const SMALL: Size = { works: 1, histories: 2, consumers: 1, processes: 1, losses: false, later: false, attempts: 0 };

/** Each explores one part with little else in it; a single configuration with everything would have too many states. */
export const configurations: readonly Configuration[] = [
  ofApprovals('delivery', 'one approval, two histories, two processes of payments, losses', {
    size: { ...SMALL, processes: 2, losses: true },
    finds: [
      'history-remembered',
      'reply-without-history',
      'event-without-history',
      'deliver-before-commit',
      'reply-before-commit',
      'no-look-up',
      'note-of-another-history',
      'asked-once',
    ],
  }),
  ofApprovals('retention', 'the same, and confirmed events are deleted', {
    size: { ...SMALL, processes: 2, losses: true, later: true },
    finds: ['no-unique-payment', 'unconfirmed-deleted'],
  }),
  ofApprovals('two approvals', 'two approvals, two histories, two processes of payments', {
    size: { ...SMALL, works: 2, processes: 2 },
  }),
  ofApprovals('three histories', 'one approval, three histories, retention', {
    size: { ...SMALL, histories: 3, later: true },
  }),
  ofApprovals('two consumers', 'an event that two services await, two histories', {
    size: { ...SMALL, consumers: 2 },
    finds: ['one-confirms-for-all'],
  }),
  ofApprovals('payout', 'one payout at the provider, two histories', {
    size: { ...SMALL, attempts: 1 },
    finds: ['key-of-the-approval', 'key-changes-on-retry', 'resubmitted-after-acknowledgement'],
    isLong: true,
  }),
  ofApprovals('payout again', 'a payout with a second attempt, one history', {
    size: { ...SMALL, histories: 1, attempts: 2 },
    finds: ['declined-before-asked'],
  }),
  ofRequests('requests', 'one key: two copies of a request, two of its correction, and a correction of that', {
    size: { copies: [2, 2, 1], histories: 1, changes: 2 },
    finds: [
      'operation-unchecked',
      'refusal-not-recorded',
      'refusal-unchecked',
      'turned-away-frees',
      'freed-for-any',
      'told-before-commit',
    ],
  }),
  ofRequests('more requests', 'the same with three copies of the first', {
    size: { copies: [3, 2, 1], histories: 1, changes: 2 },
    isLong: true,
  }),
  ofRequests('requests over a switch', 'two copies of a request and its correction, two histories', {
    size: { copies: [2, 1], histories: 2, changes: 1 },
    finds: ['id-made-up'],
  }),
  ofRequests('copies over switches', 'two copies of a request, three histories', {
    size: { copies: [2], histories: 3, changes: 1 },
    isLong: true,
  }),
  {
    name: 'change clock',
    says: 'three writes of a workspace and a poller; the clock of the machine goes on and back',
    finds: ['clock-outside-lock', 'clock-of-the-wall'],
    isLong: false,
    explore: ({ faults, mostStates }) => explore(changeClock({ count: 3, faults }), mostStates),
  },
];

interface Part<Of> {
  size: Of;
  finds?: readonly Fault[];
  isLong?: boolean;
}

function ofApprovals(name: string, says: string, { size, finds = [], isLong = false }: Part<Size>): Configuration {
  const run = ({ faults, mostStates }: Run): Explored => explore(approvals({ ...size, faults }), mostStates);
  return { name, says, finds, isLong, explore: run };
}

function ofRequests(
  name: string,
  says: string,
  { size, finds = [], isLong = false }: Part<RequestSize>,
): Configuration {
  const run = ({ faults, mostStates }: Run): Explored => explore(requests({ ...size, faults }), mostStates);
  return { name, says, finds, isLong, explore: run };
}
