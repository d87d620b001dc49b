import { isWorker } from '@payroll/kernel';
import { workPath } from '@payroll/pages';
import type { ConsoleContext } from '../console-context.js';

/** For the workers of the workspace in the path. @throws DomainError `NOT_FOUND` for other people, its members too; SignInRedirect */
export async function requireWorker(ctx: ConsoleContext) {
  const { origin, names } = await ctx.admitted();
  // Cannot happen: below /work/ admission returns only workers.
  if (!isWorker(origin.actor) || !names) throw new TypeError('Only workers visit these pages.');
  const path = workPath(origin.actor.workspaceId);
  const linkOf = (label: string, section: string) => {
    const isHere = ctx.section === section || (section === '' && ctx.section === 'contracts');
    return { label, path: section === '' ? path : `${path}/${section}`, isHere };
  };
  ctx.place = {
    ...{ workspaceName: names.workspace, deployment: ctx.application.deployment, home: path, search: null },
    navigation: [
      [linkOf('Contracts', '')],
      [linkOf('Payments', 'payments'), linkOf('Payout details', 'payout-details')],
      [linkOf('Leave', 'leave')],
    ],
    crumbs: ctx.isBelow
      ? [ctx.section === 'payments' ? linkOf('Payments', 'payments') : { label: 'Contracts', path }]
      : [],
  };
  return { path, names, email: origin.actor.person };
}
