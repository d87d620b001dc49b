import { DomainError } from '@payroll/kernel';
import { Empty, type Page } from '@payroll/pages';
import type { VNode } from 'preact';
import type { ConsoleExchange } from '../../exchange.js';
import type { RouteTable } from '../../routes.js';
import { visit } from '../../visit.js';
import { Due } from './due.js';
import { countContracts, countPayments, countWork, readDue } from './operations.js';
import { capped, type Pile, pilesOfContracts, pilesOfPayments, pilesOfWork } from './waiting.js';

export const overviewPages: RouteTable = {
  'GET /workspaces/:workspaceId': overviewPage,
};

async function overviewPage(at: ConsoleExchange): Promise<Page> {
  const { ask, path, role, names } = await visit(at);
  const [due, ...found] = await Promise.all([
    orUnread(ask(readDue, {})),
    orUnread(ask(countWork, {}).then(pilesOfWork)),
    orUnread(ask(countContracts, {}).then(pilesOfContracts)),
    orUnread(ask(countPayments, {}).then(pilesOfPayments)),
  ]);
  const piles = found.flatMap((each) => each ?? []).filter(({ n }) => n > 0);
  const own = piles.filter(({ needs }) => needs.includes(role));
  const others = piles.filter(({ needs }) => !needs.includes(role));
  const body = (
    <>
      {[due, ...found].includes(null) && (
        <p class="notice" role="status">
          Not all of it can be read at the moment. Open this page again in a minute.
        </p>
      )}
      {own.length > 0 ? (
        <Piles title="Needs you now" piles={own} {...{ path }} />
      ) : (
        <Empty title="Nothing needs you now">What waits for you will be here.</Empty>
      )}
      {others.length > 0 && <Piles title="Waits for others" piles={others} {...{ path }} />}
      {due && <Due of={due.upcoming} money={`${path}/money`} />}
      {at.application.deployment === 'test' && role === 'admin' && (
        <p>
          This is a test deployment: in the <a href={`${path}/sandbox`}>sandbox</a> you play the worker, the bank and
          everybody else outside.
        </p>
      )}
      <p>
        You are {names.person}, {role === 'admin' ? 'an' : 'a'} {role} here.{' '}
        <a href={`${path}/membership`}>What that means, and how to leave</a>
      </p>
    </>
  );
  return { title: 'Overview', body };
}

/** A part that is down is left out and said so: the others are still worth reading. */
async function orUnread<Part>(part: Promise<Part>): Promise<Part | null> {
  try {
    return await part;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'SERVICE_UNAVAILABLE') return null;
    throw error;
  }
}

function Piles({ title, piles, path }: { title: string; piles: readonly Pile[]; path: string }): VNode {
  return (
    <>
      <h2>{title}</h2>
      <ul class="cards">
        {piles.map(({ label, path: below, n }) => (
          <li key={label}>
            <a href={`${path}/${below}`}>{label}</a>
            <span class="tag">{capped(n)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
