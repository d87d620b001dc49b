import { randomUUID } from 'node:crypto';
import type { Request } from './load.js';
import type { SubmittedWork } from './submitted-work.js';
import type { Target } from './targets.js';

export const pathNames = ['get', 'list', 'create', 'approve'] as const;
export type PathName = (typeof pathNames)[number];

export interface Path {
  title: string;
  /** Requests of a round. */
  count: (connections: number) => number;
  request: (target: Target, n: number) => Request;
}

/** How many timesheets are approved in a round: each can be approved once. */
export const APPROVALS = 320;

/** The hot paths over the timesheets that are there. `take` gives one of a target's submitted ones, each once. */
export function pathsOver(work: readonly SubmittedWork[], take: (target: Target) => SubmittedWork) {
  return {
    get: {
      title: 'GET /v1/timesheets/{id}',
      count: (connections) => 125 * Math.max(connections, 8),
      request: (target, n) => read(target, `/timesheets/${work[n % work.length]!.id}`),
    },
    list: {
      title: 'GET /v1/timesheets (50)',
      count: (connections) => 50 * Math.max(connections, 8),
      request: (target) => read(target, '/timesheets'),
    },
    create: {
      title: 'POST /v1/contracts',
      count: (connections) => 15 * Math.max(connections, 8),
      request: (target) => write(target, '/contracts', DRAFT),
    },
    approve: {
      title: 'POST /v1/timesheets/{id}/approve',
      count: () => APPROVALS,
      request: (target) => {
        const { id, version } = take(target);
        return write(target, `/timesheets/${id}/approve`, { expectedVersion: version });
      },
    },
  } satisfies Record<PathName, Path>;
}

const DRAFT = {
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

function read({ prefix, headers }: Target, path: string): Request {
  return { method: 'GET', path: prefix + path, headers };
}

function write({ prefix, headers }: Target, path: string, body: object): Request {
  return {
    method: 'POST',
    path: prefix + path,
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify(body),
  };
}
