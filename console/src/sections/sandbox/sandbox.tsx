import { DomainError, notFound } from '@payroll/kernel';
import { type Answer, type Page, problemsOf, type SentForm } from '@payroll/pages';
import type { ConsoleExchange } from '../../exchange.js';
import type { RouteTable } from '../../routes.js';
import { visitAs, type Visit } from '../../visit.js';
import { operationIn } from '../../sent.js';
import { type Act, ACTS } from './acts.js';
import { Forms } from './forms.js';
import { readPlayable } from './operations.js';

const SECTION = '/workspaces/:workspaceId/sandbox';

export const sandboxPages: RouteTable = {
  [`GET ${SECTION}`]: async (at) => await sandbox(await enter(at), at.typed),
  ...Object.fromEntries(
    Object.entries(ACTS).map(([name, act]) => [`POST ${SECTION}/${name}`, (at: ConsoleExchange) => play(at, act)]),
  ),
};

/** A live deployment does not have this page, and its services refuse these commands. */
async function enter(at: ConsoleExchange): Promise<Visit> {
  if (at.application.deployment !== 'test') throw notFound('What this address names');
  return await visitAs(at, ['admin']);
}

async function sandbox({ ask, path }: Visit, typed: SentForm | null): Promise<Page> {
  return {
    title: 'Sandbox',
    lead: 'Here you play everybody outside your workspace: the worker, the bank, the payment provider, and us. No real money moves.',
    body: <Forms {...{ path, typed }} playable={await ask(readPlayable, {})} />,
  };
}

async function play(at: ConsoleExchange, act: Act): Promise<Answer> {
  const visit = await enter(at);
  try {
    await act.play(visit, at, operationIn(at));
  } catch (error) {
    return { ...(await sandbox(visit, at)), problems: problemsOf(asProblem(error), WORDING) };
  }
  return { to: visit.path, notice: act.done };
}

/** Errors that reloading the lists resolves become a message above the forms. */
function asProblem(error: unknown): unknown {
  const mended = ['STALE_RESOURCE_VERSION', 'NOT_FOUND', 'INVALID_REQUEST'];
  if (!(error instanceof DomainError && mended.includes(error.code))) return error;
  return new DomainError('INVALID_STATE', 'That was not possible as things are now. Choose again.', { cause: error });
}

const WORDING = {
  amount: 'Enter an amount above zero, such as 1000.00.',
  currency: 'Enter a currency, such as EUR.',
  destination: 'Enter payout details.',
  'workerId taken': 'This worker has payout details already.',
  workerId: 'Choose a worker.',
  periodStart: 'Enter a first day that no other timesheet of this contract covers.',
  periodEnd: 'Enter a last day that is not before the first.',
  daysAhead: 'Enter how many days ahead of today, not fewer than now.',
  unitsWorked: 'Enter what was worked, such as 38.5.',
};
