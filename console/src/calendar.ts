import { addDays, dayOf, instantOf } from '@payroll/kernel';
import type { ConsoleContext } from './console-context.js';
import { graphql } from './operations.js';

const readDaysAhead = graphql('query daysAhead { sandboxDaysAhead }');

/** The day that payments fall due by, UTC; the calendar of a test workspace may be ahead. */
export async function today(ctx: ConsoleContext): Promise<string> {
  const real = dayOf(instantOf(new Date()));
  if (ctx.application.deployment !== 'test') return real;
  return addDays(real, (await ctx.run(readDaysAhead, {})).sandboxDaysAhead);
}
