import { progress } from '@payroll/tools/cli';
import { Follower, LISTS, audit, watchBalances } from './readers.js';
import { approveByGraph, assist, changeRoleRepeatedly } from './colleagues.js';
import type { Crew } from './crew.js';
import { draft, review } from './integrators.js';
import { endUnclaimedOrders } from './finance.js';
import { comePastTheEdge, intrude } from './outsiders.js';

/** Progress is printed at this interval. */
const TELLS_MS = 15_000;

/**
 * Starts all clients; `finish` waits for the intents in progress, and lets followers compare what they know with the
 * lists.
 */
export function employ(crew: Crew) {
  const { tenants } = crew.stage;
  const followers = tenants.flatMap((tenant) => LISTS.map((list) => new Follower(crew, tenant, list)));
  const working = tenants.flatMap((tenant, n) => [
    ...tenant.admins.map((admin) => review(crew, tenant, admin)),
    ...(tenant.assistant === undefined ? [] : [assist(crew, tenant, tenant.assistant)]),
    approveByGraph(crew, tenant),
    draft(crew, tenant),
    changeRoleRepeatedly(crew, tenant),
    intrude(crew, tenant, tenants[(n + 1) % tenants.length]!),
    comePastTheEdge(crew, tenant),
    watchBalances(crew, tenant),
    endUnclaimedOrders(crew, tenant),
  ]);
  const all = Promise.all([...working, ...followers.map((each) => each.follow()), audit(crew)]);
  // Reported at the end; until then the other clients continue.
  all.catch(() => undefined);
  const timer = setInterval(() => {
    const { approvals, unknowns, suppressed } = crew.tally;
    progress(`  ${approvals} approvals, ${unknowns} unknown, ${suppressed} retries of what was done`);
  }, TELLS_MS);
  return {
    finish: async (): Promise<void> => {
      clearInterval(timer);
      crew.isGone = true;
      await all;
      await crew.finished();
      await Promise.all(followers.map((each) => each.compare()));
    },
  };
}
