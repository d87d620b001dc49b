import type { Role } from '@payroll/kernel';
import type { Shown } from './exchange.js';
import { activityPages } from './sections/activity/activity.js';
import { connectionPages } from './sections/connections/connections.js';
import { contractActPages } from './sections/contracts/acts/pages.js';
import { contractPages } from './sections/contracts/contracts.js';
import { integrationPages } from './sections/integration/integration.js';
import { keyPages } from './sections/keys/keys.js';
import { memberPages } from './sections/members/members.js';
import { membershipPages } from './sections/membership.js';
import { moneyPages } from './sections/money/money.js';
import { overviewPages } from './sections/overview/overview.js';
import { paymentPages } from './sections/payments/payments.js';
import { reviewPages } from './sections/review/review.js';
import { sandboxPages } from './sections/sandbox/sandbox.js';
import { editWorkerPages } from './sections/workers/edit-worker.js';
import { payoutDetailsPages } from './sections/workers/payout-details.js';
import { workerPages } from './sections/workers/workers.js';
import { type RouteTable, withTypedForms } from './routes.js';

interface Section extends Shown {
  pages: RouteTable;
}

const ALL: readonly Role[] = ['admin', 'member', 'viewer'];
const ADMINS: readonly Role[] = ['admin'];

/** The sections of a workspace in the order of the navigation, by their name in the address (the first has none). */
export const sections: Readonly<Record<string, Section>> = {
  '': { label: 'Overview', for: ALL, pages: overviewPages },
  review: { label: 'Review', for: ALL, pages: reviewPages },
  contracts: { label: 'Contracts', for: ALL, pages: { ...contractPages, ...contractActPages } },
  workers: { label: 'Workers', for: ALL, pages: { ...workerPages, ...editWorkerPages, ...payoutDetailsPages } },
  payments: { label: 'Payments', for: ALL, pages: paymentPages },
  money: { label: 'Money', for: ALL, pages: moneyPages },
  activity: { label: 'Activity', for: ALL, pages: activityPages },
  sandbox: { label: 'Sandbox', for: ADMINS, isTest: true, pages: sandboxPages },
  keys: { label: 'API keys', for: ADMINS, pages: keyPages },
  members: { label: 'Members', for: ADMINS, pages: memberPages },
  integration: { label: 'Integration', for: ADMINS, pages: integrationPages },
  connections: { label: 'Connections', for: ALL, pages: connectionPages },
  membership: { label: 'Your membership', for: [], pages: membershipPages },
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
