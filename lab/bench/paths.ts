import { type Ask, DRAFT, type Side, call, get, post } from './requests.js';
import type { Contestant, Pace } from './measure.js';
import type { Stage } from './stage.js';
import { READ, type Workspace } from './workspaces.js';

interface Path {
  title: string;
  /** Requests that a connection sends in a round. */
  each: number;
  ask: Ask;
  /** For a tool: the same request at `/v1`. */
  same?: Ask;
}

const idOf = ({ timesheets }: Workspace, turn: number): string => timesheets[turn % READ]!.id;
const contractOf = ({ contractIds }: Workspace, turn: number): string => contractIds[turn % contractIds.length]!;
const getOne = get((workspace, turn) => `/timesheets/${idOf(workspace, turn)}`);

/** Every hot path, in the order of measurement. */
export const PATHS = {
  get: { title: 'GET /v1/timesheets/{id}', each: 125, ask: getOne },
  list: { title: 'GET /v1/timesheets (50)', each: 50, ask: get(() => '/timesheets') },
  contract: {
    title: 'GET /v1/contracts/{id}',
    each: 125,
    ask: get((workspace, turn) => `/contracts/${contractOf(workspace, turn)}`),
  },
  changes: {
    title: 'GET /v1/contracts?updatedSince= (50)',
    each: 50,
    ask: get(() => '/contracts?updatedSince=1970-01-01T00:00:00Z'),
  },
  balances: { title: 'GET /v1/balances', each: 100, ask: get(() => '/balances') },
  // Fewer, because the demo has only six tokens for `/mcp`, each limited to 600 messages a minute.
  mcp: {
    title: 'get_timesheet at /mcp',
    each: 10,
    ask: call('get_timesheet', (workspace, turn) => ({ id: idOf(workspace, turn) })),
    same: getOne,
  },
  'mcp-list': {
    title: 'list_timesheets at /mcp (25)',
    each: 5,
    ask: call('list_timesheets', () => ({})),
    same: get(() => '/timesheets?limit=25'),
  },
  create: { title: 'POST /v1/contracts', each: 75, ask: post(() => ({ path: '/contracts', body: DRAFT })) },
  approve: {
    title: 'POST /v1/timesheets/{id}/approve',
    each: 75,
    ask: post(({ timesheets }) => {
      const { id, version } = timesheets.pop()!;
      return { path: `/timesheets/${id}/approve`, body: { expectedVersion: version } };
    }),
  },
} satisfies Record<string, Path>;
export type PathName = keyof typeof PATHS;

export const pathNames = Object.keys(PATHS) as PathName[];

/** Requests per round; with fewer than eight connections the same as with eight. */
export function countOf(path: PathName, { connections, share }: Pick<Pace, 'connections' | 'share'>): number {
  return Math.ceil(PATHS[path].each * Math.max(connections, 8) * share);
}

/** The first is compared with each of the others. */
export function contestantsOf(path: PathName, { ours, bare, before }: Stage): Contestant[] {
  const { ask, same }: Path = PATHS[path];
  if (same !== undefined) {
    const old = before === null ? [] : [asked(before.mcp, ask)];
    return [asked({ ...ours.mcp, name: 'tool' }, ask), asked({ ...ours.v1, name: '/v1' }, same), ...old];
  }
  const old = before === null ? [] : [asked(before.v1, ask)];
  return [asked(ours.v1, ask), asked(bare.v1, ask), ...old];
}

export function asked(side: Side, ask: Ask): Contestant {
  return { ...side, request: (n) => ask(side, n) };
}
