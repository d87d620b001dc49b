import { ROLES, type Role } from '@payroll/kernel';
import type { Shown } from './console-context.js';
import { activityPages } from './sections/activity/activity.js';
import { connectionPages } from './sections/connections.js';
import { contractPages } from './sections/contracts/contracts.js';
import { integrationPages } from './sections/integration.js';
import { keyPages } from './sections/keys/keys.js';
import { memberPages } from './sections/members/members.js';
import { membershipPages } from './sections/membership.js';
import { moneyPages } from './sections/money/money.js';
import { overviewPages } from './sections/overview/overview.js';
import { failedPayments } from './sections/payments/operations.js';
import { paymentPages } from './sections/payments/payments.js';
import { workToReview } from './sections/review/operations.js';
import { reviewPages } from './sections/review/review.js';
import { searchPages } from './sections/search.js';
import { sandboxPages } from './sections/sandbox/sandbox.js';
import { accessPages } from './sections/workers/access.js';
import { editWorkerPages } from './sections/workers/edit-worker.js';
import { payoutDetailsPages } from './sections/workers/payout-details.js';
import { workerPages } from './sections/workers/workers.js';
import { type RouteTable, withTypedForms } from './routes.js';

interface Section extends Shown {
  pages: RouteTable;
}

const ADMINS: readonly Role[] = ['admin'];

/** The sections of a workspace in the order of the navigation, by their name in the address (the first has none). */
export const sections: Readonly<Record<string, Section>> = {
  '': { label: 'Overview', group: 'home', for: ROLES, pages: overviewPages },
  review: { label: 'Review', group: 'work', for: ROLES, pages: reviewPages, waiting: workToReview },
  contracts: { label: 'Contracts', group: 'work', for: ROLES, pages: contractPages },
  workers: {
    label: 'Workers',
    group: 'work',
    for: ROLES,
    pages: { ...workerPages, ...editWorkerPages, ...payoutDetailsPages, ...accessPages },
  },
  payments: { label: 'Payments', group: 'money', for: ROLES, pages: paymentPages, waiting: failedPayments },
  money: { label: 'Money', group: 'money', for: ROLES, pages: moneyPages },
  activity: { label: 'Activity', group: 'people', for: ROLES, pages: activityPages },
  members: { label: 'Members', group: 'people', for: ADMINS, pages: memberPages },
  keys: { label: 'API keys', group: 'programs', for: ADMINS, pages: keyPages },
  integration: { label: 'Integration', group: 'programs', for: ADMINS, pages: integrationPages },
  connections: { label: 'Connections', group: 'programs', for: ROLES, pages: connectionPages },
  sandbox: { label: 'Sandbox', group: 'test', for: ADMINS, isTest: true, pages: sandboxPages },
  search: { label: 'Find', group: '', for: [], pages: searchPages },
  membership: { label: 'Your membership', group: '', for: [], pages: membershipPages },
};

/** All pages. @throws Error at start for a page whose address is not in its section */
export function pagesOf(table: typeof sections): RouteTable {
  const found = Object.entries(table).flatMap(([name, { pages }]) =>
    Object.entries(pages).map(([route, answer]) => {
      if (sectionOf(route) !== name) throw new Error(`${route} is not in the section "${name}".`);
      return [route, answer] as const;
    }),
  );
  return withTypedForms(Object.fromEntries(found));
}

function sectionOf(route: string): string | undefined {
  const [, path] = route.split(' /workspaces/:workspaceId');
  return path?.split('/')[1] ?? (path === '' ? '' : undefined);
}
