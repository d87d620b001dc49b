import { addDays, dayOf } from '@payroll/kernel';
import { graphql, type ResultOf } from './operations.js';
import type { ConsoleContext } from './console-context.js';
import { orUnread } from './workspace-context.js';

export const readInstallation = graphql(
  'query installation { installation { restUrl mcpUrl sendsMail hasOutsideIssuer } }',
);

/** The settings of this deployment that pages show. */
export type Installation = ResultOf<typeof readInstallation>['installation'];

const readDaysAhead = graphql('query daysAhead { sandboxDaysAhead }');

/** The day that payments fall due by, UTC; the calendar of a test workspace may be ahead, unless payments does not answer. */
export async function today(ctx: ConsoleContext): Promise<string> {
  const real = dayOf(new Date());
  if (ctx.application.deployment !== 'test') return real;
  return addDays(real, (await orUnread(ctx.run(readDaysAhead, {})))?.sandboxDaysAhead ?? 0);
}
