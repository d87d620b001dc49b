import type { Role } from '@payroll/kernel';
import type { Shown } from './exchange.js';
import { activityPages } from './rooms/activity/activity.js';
import { connectionPages } from './rooms/connections/connections.js';
import { contractActPages } from './rooms/contracts/acts/pages.js';
import { contractPages } from './rooms/contracts/contracts.js';
import { integrationPages } from './rooms/integration/integration.js';
import { keyPages } from './rooms/keys/keys.js';
import { memberPages } from './rooms/members/members.js';
import { membershipPages } from './rooms/membership.js';
import { moneyPages } from './rooms/money/money.js';
import { overviewPages } from './rooms/overview/overview.js';
import { paymentPages } from './rooms/payments/payments.js';
import { reviewPages } from './rooms/review/review.js';
import { sandboxPages } from './rooms/sandbox/sandbox.js';
import { editWorkerPages } from './rooms/workers/edit-worker.js';
import { payoutDetailsPages } from './rooms/workers/payout-details.js';
import { workerPages } from './rooms/workers/workers.js';
import { type RouteTable, withTypedForms } from './routes.js';

interface Section extends Shown {
  pages: RouteTable;
}

const ALL: readonly Role[] = ['admin', 'member', 'viewer'];
const ADMINS: readonly Role[] = ['admin'];

/** What a workspace has pages for, in the order of the navigation, by the name in their addresses (the first has none). */
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

/** Every page there is. @throws Error at start for one that is not at an address of its section */
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
