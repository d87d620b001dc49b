import type { Actor, ServiceName } from '@payroll/kernel';
import { list, type openDatabase, type Page } from '@payroll/store';
import { listAuditEntries } from '../../../../packages/service/src/audit-trail.js';
import { listContracts } from '../../../../services/contracts/src/queries/lists.js';
import { workers } from '../../../../services/contracts/src/store/views.js';
import { listLedgerEntries } from '../../../../services/payments/src/queries/money.js';
import { payees, payments } from '../../../../services/payments/src/store/views.js';
import { milestones, timesheets } from '../../../../services/review/src/store/views.js';
import { listApiKeys } from '../../../../services/workspaces/src/queries/credentials.js';
import { listMembers } from '../../../../services/workspaces/src/queries/members.js';
import { contractId, PRINCIPAL, WORKSPACE } from './rows.js';

export type EntityManager = Awaited<ReturnType<typeof openDatabase>>['em'];

interface Paging {
  limit: number;
  cursor?: string | null;
}

export interface List {
  name: string;
  service: ServiceName;
  /** Optional filters; those that every list has are part of `page`. */
  filters: Readonly<Record<string, string | boolean>>;
  page: (em: EntityManager, filters: object, paging: Paging) => Promise<Page<unknown>>;
}

const updatedSince = '2026-01-01T00:00:00Z';
const actor: Actor = {
  kind: 'api_key',
  principalId: PRINCIPAL,
  workspaceId: WORKSPACE,
  role: 'admin',
  scopes: ['read'],
};

/** Converts the filters into the arguments of a view's list. */
function given(filters: object) {
  const { updatedSince, oldestFirst, ...where } = filters as { updatedSince?: string; oldestFirst?: boolean };
  return { where, updatedSince, oldestFirst };
}

/** Every list of `/v1` and of the internal teams. */
export const lists: readonly List[] = [
  {
    name: 'contracts',
    service: 'contracts',
    filters: { status: 'active', includeDeleted: true, externalReference: 'ref-778', updatedSince, oldestFirst: true },
    page: (em, filters, paging) => listContracts(em, actor, { searched: [], ...filters, ...paging }),
  },
  {
    name: 'timesheets',
    service: 'review',
    filters: { status: 'rejected', contractId: contractId(7), updatedSince },
    page: (em, filters, paging) => list(em, timesheets, { workspaceId: WORKSPACE, ...given(filters), ...paging }),
  },
  {
    name: "a contract's milestones",
    service: 'review',
    filters: { status: 'submitted' },
    page: (em, filters, paging) =>
      list(em, milestones, {
        workspaceId: WORKSPACE,
        ...given({ ...filters, ...{ contractId: contractId(7) } }),
        ...paging,
      }),
  },
  {
    name: 'payments',
    service: 'payments',
    filters: { status: 'completed', contractId: contractId(7), updatedSince, oldestFirst: true },
    page: (em, filters, paging) => list(em, payments, { workspaceId: WORKSPACE, ...given(filters), ...paging }),
  },
  {
    name: 'workers',
    service: 'contracts',
    filters: { oldestFirst: true },
    page: (em, filters, paging) =>
      list(em, workers, { workspaceId: WORKSPACE, filters: { of: 'workers' }, ...filters, ...paging }),
  },
  {
    name: 'payees',
    service: 'payments',
    filters: { verificationStatus: 'verified', workerId: '0197a002-0000-7000-8000-000000000007', updatedSince },
    page: (em, filters, paging) => list(em, payees, { workspaceId: WORKSPACE, ...given(filters), ...paging }),
  },
  {
    name: 'ledger entries',
    service: 'payments',
    filters: { account: 'available', currency: 'EUR', paymentId: '0197a005-0000-7000-8000-00000000000c' },
    page: (em, filters, paging) => listLedgerEntries(em, WORKSPACE, { ...filters, ...paging }),
  },
  {
    name: 'members',
    service: 'workspaces',
    filters: { includeLeft: true },
    page: (em, filters, paging) => listMembers(em, WORKSPACE, { includeLeft: false, ...filters, ...paging }),
  },
  {
    name: 'API keys',
    service: 'workspaces',
    filters: {},
    page: (em, _none, paging) => listApiKeys(em, WORKSPACE, paging),
  },
  {
    name: 'audit trail',
    service: 'review',
    filters: { subjectId: '0197a003-0000-7000-8000-000000000007', principalId: '0197a00b-0000-7000-8000-000000000007' },
    page: (em, filters, paging) => listAuditEntries(em, 'review', WORKSPACE, { ...filters, ...paging }),
  },
];

/** All subsets of the filters. */
export function choicesOf(filters: List['filters']): List['filters'][] {
  return Object.entries(filters).reduce<List['filters'][]>(
    (choices, [name, value]) => [...choices, ...choices.map((chosen) => ({ ...chosen, [name]: value }))],
    [{}],
  );
}
