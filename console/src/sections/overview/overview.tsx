import { DomainError } from '@payroll/kernel';
import { Empty, type Page } from '@payroll/pages';
import type { VNode } from 'preact';
import { today } from '../../calendar.js';
import type { ConsoleExchange } from '../../exchange.js';
import type { RouteTable } from '../../routes.js';
import { visit, type Visit } from '../../visit.js';
import { readNewest } from '../activity/read.js';
import { Timeline } from '../activity/timeline.js';
import { Due } from './due.js';
import { FirstSteps } from './first-steps.js';
import { countContracts, countWork, readMoney } from './operations.js';
import { Tiles } from './tiles.js';
import { pilesOfContracts, pilesOfPayments, pilesOfWork } from './waiting.js';

export const overviewPages: RouteTable = {
  'GET /workspaces/:workspaceId': overviewPage,
};

const NEWEST = 10;

async function overviewPage(at: ConsoleExchange): Promise<Page> {
  const here = await visit(at);
  const { ask, path, role } = here;
  const [money, work, contracts, done, day] = await Promise.all([
    orUnread(ask(readMoney, {})),
    orUnread(ask(countWork, {})),
    orUnread(ask(countContracts, {})),
    orUnread(readNewest(here, NEWEST)),
    orUnread(today(at)),
  ]);
  const piles = [
    ...(money ? pilesOfPayments(money) : []),
    ...(work ? pilesOfWork(work) : []),
    ...(contracts ? pilesOfContracts(contracts) : []),
  ].filter(({ n }) => n > 0);
  const own = piles.filter(({ needs }) => needs.includes(role));
  const others = piles.filter(({ needs }) => !needs.includes(role));
  const body = (
    <>
      {[money, work, contracts, done].includes(null) && (
        <p class="notice" role="status">
          Not all of it can be read at the moment. Open this page again in a minute.
        </p>
      )}
      {role !== 'viewer' && <Shortcuts path={path} role={role} />}
      {own.length > 0 ? (
        <Tiles title="Needs you now" piles={own} path={path} />
      ) : (
        <Empty title="Nothing needs you now">What waits for you will be here.</Empty>
      )}
      {money && contracts && role !== 'viewer' && <FirstSteps of={{ contracts, money }} path={path} />}
      {money && day !== null && <Due of={money} today={day} money={`${path}/money`} />}
      {others.length > 0 && <Tiles title="Waits for others" piles={others} path={path} />}
      {done && <Latest entries={done.entries} home={path} />}
      <Foot {...here} hasSandbox={at.application.deployment === 'test' && role === 'admin'} />
    </>
  );
  return { title: 'Overview', body };
}

function Shortcuts({ path, role }: Pick<Visit, 'path' | 'role'>): VNode {
  return (
    <p class="actions">
      <a href={`${path}/contracts/new`}>New contract</a>
      <a href={`${path}/workers/new`}>Add a worker</a>
      {role === 'admin' && <a href={`${path}/keys`}>API keys</a>}
    </p>
  );
}

function Foot({ path, names, role, hasSandbox }: Pick<Visit, 'path' | 'names' | 'role'> & { hasSandbox: boolean }) {
  return (
    <>
      {hasSandbox && (
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
}

function Latest({ entries, home }: Pick<Parameters<typeof Timeline>[0], 'entries' | 'home'>): VNode | null {
  if (entries.length === 0) return null;
  return (
    <>
      <h2>Latest activity</h2>
      <Timeline entries={entries} home={home} />
      <p>
        <a href={`${home}/activity`}>All activity</a>
      </p>
    </>
  );
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
