import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { type Request, message } from '@payroll/tools/operate/requests';
import type { Workspace } from './workspaces.js';

/** The servers behind a system. Each pid includes its children: Postgres works in them. */
export interface Servers {
  postgres: () => number[];
  nats: () => number[];
}

/** A server that answers requests, and the processes whose cost counts for its answers. */
export interface BenchTarget {
  name: string;
  origin: string;
  processes: () => Readonly<Record<string, number>>;
  servers: Servers;
}

/** Includes the workspaces over which requests are spread. */
export interface Side extends BenchTarget {
  /** Precedes each path. */
  prefix: string;
  workspaces: readonly Workspace[];
}

/** A system, or a substitute for one, with its sides. */
export interface System {
  /** Many workspaces with one key each. */
  v1: Side;
  /** One workspace with many keys. */
  one: Side;
  database: Client;
}

/** The nth request to a side. */
export type Ask = (side: Asked, n: number) => Request;

type Asked = Pick<Side, 'prefix' | 'workspaces'>;

/** `path` receives the workspace whose turn it is, and the number of its earlier turns. */
export function get(path: (workspace: Workspace, turn: number) => string): Ask {
  return (side, n) => {
    const { workspace, turn, headers } = turnOf(side, n);
    return { method: 'GET', path: side.prefix + path(workspace, turn), headers };
  };
}

export function post(order: (workspace: Workspace) => { path: string; body: object }): Ask {
  return (side, n) => {
    const { workspace, headers } = turnOf(side, n);
    const { path, body } = order(workspace);
    return json(side.prefix + path, { ...headers, 'idempotency-key': randomUUID() }, body);
  };
}

export function call(tool: string, given: (workspace: Workspace, turn: number) => object): Ask {
  return (side, n) => {
    const { workspace, turn, headers } = turnOf(side, n);
    return message(headers, 'tools/call', { name: tool, arguments: given(workspace, turn) });
  };
}

function json(path: string, headers: Record<string, string>, body: object): Request {
  const type = { 'content-type': 'application/json' };
  return { method: 'POST', path, headers: { ...headers, ...type }, body: JSON.stringify(body) };
}

/** Takes the workspaces in turn, and in each one its keys in turn, so that all stay equally far from their limits. */
function turnOf({ workspaces }: Asked, n: number) {
  const workspace = workspaces[n % workspaces.length]!;
  const turn = Math.floor(n / workspaces.length);
  return { workspace, turn, headers: workspace.keys[turn % workspace.keys.length]! };
}

export const DRAFT = {
  title: 'Design system, second half of the year',
  professionalEmail: 'mara@measured.example',
  description: 'Components, tokens and their documentation.',
  employmentType: 'contractor',
  contractType: 'contractor_payg',
  startDate: '2027-02-01',
  endDate: '2027-07-31',
  compensation: { type: 'hourly', currency: 'EUR', rate: 62.5, paymentFrequency: 'monthly' },
  invoicingSettings: { invoiceFrequency: 'monthly', paymentDueDays: 14 },
};
