import { approvals } from './approvals.ts';
import { changeClock } from './change-clock.ts';
import type { Fault, Faults } from './faults.ts';
import { requests } from './requests.ts';
import { explore, type Explored } from './search.ts';
import type { Bounds } from './world.ts';

interface Run {
  faults: Faults;
  mostStates: number;
  /** Instead of its own number of them. */
  histories?: number | undefined;
}

export interface Configuration {
  name: string;
  says: string;
  /** Which faults it has to find. */
  finds: readonly Fault[];
  /** Left out of the short form. */
  isLong: boolean;
  explore: (run: Run) => Explored;
}

type Size = Omit<Bounds, 'faults'>;

const SMALL: Size = { works: 1, histories: 2, consumers: 1, processes: 1, losses: false, later: false, attempts: 0 };

/** Each looks at a part with little else in it: together they are what one huge one would be. */
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
  {
    name: 'requests',
    says: 'three requests with one key, one history',
    finds: [
      'operation-unchecked',
      'refusal-not-recorded',
      'claim-without-fence',
      'turned-away-frees',
      'take-over-is-new',
      'told-before-commit',
    ],
    isLong: true,
    explore: ({ faults, mostStates, histories = 1 }) =>
      explore(requests({ count: 3, histories, changes: 2, faults }), mostStates),
  },
  {
    name: 'requests over a switch',
    says: 'two requests with one key, two histories',
    finds: ['operation-without-history'],
    isLong: true,
    explore: ({ faults, mostStates, histories = 2 }) =>
      explore(requests({ count: 2, histories, changes: 1, faults }), mostStates),
  },
  {
    name: 'change clock',
    says: 'three writes of a workspace and a poller; the clock of the machine goes on and back',
    finds: ['clock-outside-lock', 'clock-of-the-wall'],
    isLong: false,
    explore: ({ faults, mostStates }) => explore(changeClock({ count: 3, faults }), mostStates),
  },
];

interface Part {
  size: Size;
  finds?: readonly Fault[];
  isLong?: boolean;
}

function ofApprovals(name: string, says: string, { size, finds = [], isLong = false }: Part): Configuration {
  const run = ({ faults, mostStates, histories = size.histories }: Run): Explored =>
    explore(approvals({ ...size, histories, faults }), mostStates);
  return { name, says, finds, isLong, explore: run };
}
