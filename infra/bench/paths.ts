import { randomUUID } from 'node:crypto';
import type { Door, RestDoor } from './doors.js';
import type { Request } from './load.js';
import { APPROVE, DRAFT, GET_TIMESHEET, LIST_TIMESHEETS } from './requests.js';
import type { Doors } from './stage.js';
import type { Work } from './work.js';

/** In the order they are measured in. */
export const pathNames = [
  ...(['get', 'list', 'contract', 'changes', 'balances'] as const),
  ...(['mcp', 'mcp-list', 'create', 'approve', 'internal'] as const),
] as const;
export type PathName = (typeof pathNames)[number];

/** Who answers a path, and how it is asked the nth time. */
export interface Contestant extends Door {
  request: (n: number) => Request;
}

export interface Path {
  title: string;
  /** How many requests a round has. */
  count: (connections: number) => number;
  /** The first is measured against each of the others. */
  contestants: readonly Contestant[];
}

/** How many timesheets are approved in a round: each can be approved once. */
export const APPROVALS = 320;

/** Every hot path. What is approved is taken from the work that is left. */
export function pathsOver(doors: Doors, work: Work): Record<PathName, Path> {
  return { ...readsOver(doors, work), ...toolsOver(doors, work), ...writesOver(doors, work) };
}

function readsOver(doors: Doors, { timesheets, contractIds }: Work) {
  const { hive } = doors;
  const id = inTurn(timesheets.map((timesheet) => timesheet.id));
  const contractId = inTurn(contractIds);
  const peer = (query: string, variables: (n: number) => object): Contestant[] =>
    hive === null ? [] : [{ ...hive, request: (n) => hive.ask(query, variables(n)) }];
  return {
    get: {
      title: 'GET /v1/timesheets/{id}',
      count: each(125),
      contestants: [
        ...both(doors, (door, n) => door.get(`/timesheets/${id(n)}`)),
        ...peer(GET_TIMESHEET, (n) => ({ id: id(n) })),
      ],
    },
    list: {
      title: 'GET /v1/timesheets (50)',
      count: each(50),
      contestants: [...both(doors, (door) => door.get('/timesheets')), ...peer(LIST_TIMESHEETS, () => ({}))],
    },
    contract: {
      title: 'GET /v1/contracts/{id}',
      count: each(125),
      contestants: both(doors, (door, n) => door.get(`/contracts/${contractId(n)}`)),
    },
    changes: {
      title: 'GET /v1/contracts?updatedSince= (50)',
      count: each(50),
      contestants: both(doors, (door) => door.get('/contracts?updatedSince=1970-01-01T00:00:00Z')),
    },
    balances: {
      title: 'GET /v1/balances',
      count: each(100),
      contestants: both(doors, (door) => door.get('/balances')),
    },
  };
}

/** A tool beside the call of `/v1` that it makes. */
function toolsOver({ v1, mcp }: Doors, { timesheets }: Work) {
  const id = inTurn(timesheets.map((timesheet) => timesheet.id));
  const beside = (tool: Contestant['request'], call: Contestant['request']): Contestant[] => [
    { ...mcp, name: 'tool', request: tool },
    { ...v1, name: '/v1', request: call },
  ];
  return {
    mcp: {
      title: 'get_timesheet at /mcp',
      count: each(40),
      contestants: beside(
        (n) => mcp.call('get_timesheet', { id: id(n) }),
        (n) => v1.get(`/timesheets/${id(n)}`),
      ),
    },
    'mcp-list': {
      title: 'list_timesheets at /mcp (25)',
      count: each(20),
      contestants: beside(
        () => mcp.call('list_timesheets', {}),
        () => v1.get('/timesheets?limit=25'),
      ),
    },
  };
}

function writesOver(doors: Doors, { left }: Work) {
  const { graph, bare, bareInternal } = doors;
  const approval = (door: RestDoor): Request => {
    const { id, version } = left[door.name === bare.name ? 'bare' : 'ours'].pop()!;
    return door.post(`/timesheets/${id}/approve`, { expectedVersion: version });
  };
  const inGraph = (): Request => graph.ask(APPROVE, { ...left.ours.pop()!, operationId: randomUUID() });
  return {
    create: {
      title: 'POST /v1/contracts',
      count: each(15),
      contestants: both(doors, (door) => door.post('/contracts', DRAFT)),
    },
    approve: {
      title: 'POST /v1/timesheets/{id}/approve',
      count: () => APPROVALS,
      contestants: both(doors, approval),
    },
    internal: {
      title: 'approveTimesheet at /graphql, one workspace',
      count: () => APPROVALS,
      contestants: [
        { ...graph, request: inGraph },
        { ...bareInternal, request: () => approval(bareInternal) },
      ],
    },
  };
}

function both({ v1, bare }: Doors, request: (door: RestDoor, n: number) => Request): Contestant[] {
  return [v1, bare].map((door) => ({ ...door, request: (n) => request(door, n) }));
}

/** So many on each connection; with few connections as many as with eight. */
function each(count: number): Path['count'] {
  return (connections) => count * Math.max(connections, 8);
}

function inTurn(ids: readonly string[]): (n: number) => string {
  return (n) => ids[n % ids.length]!;
}
