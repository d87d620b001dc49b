import { addDays, isCalendarDate, isId } from '@payroll/kernel';
import { EmptyState, Field, Filters, Marks, type PageView, Select, Table, Time } from '@payroll/pages';
import type { VNode } from 'preact';
import type { ConsoleContext } from '../../console-context.js';
import type { RouteTable } from '../../routes.js';
import { validIn, requireMember, type WorkspaceContext } from '../../workspace-context.js';
import { chosen, dayText } from '../../words.js';
import { byText } from '../review/words.js';
import { readSubjects, type Subject } from './subjects.js';
import { readPlace, type ActivityFilters, type Entry, type Trail, KINDS, readPage } from './trails.js';
import { actionText, factTexts, subjectPath } from './words.js';

export const activityPages: RouteTable = { 'GET /workspaces/:workspaceId/activity': activity };

const LIMIT = 50;

async function activity(ctx: ConsoleContext): Promise<PageView> {
  const here = await requireMember(ctx);
  const narrowed = narrowing(ctx);
  const { entries, next, missing } = await readPage(here, filtersOf(ctx, narrowed), LIMIT, narrowed.kind as Trail | '');
  const given = Object.fromEntries(Object.entries(narrowed).filter(([, value]) => value !== ''));
  const body = (
    <>
      <Narrowing {...narrowed} />
      <Marks given={given} words={MARKS} rows={entries} isMore={next !== null} />
      {missing.length > 0 && (
        <p role="status">
          {missing.join(' and ')} cannot be read at the moment, and are missing here. Open this page again in a while.
        </p>
      )}
      <Table
        caption="What was done, newest first"
        plain={['Details', 'By', 'When']}
        rows={entries}
        cursor={next}
        filters={given}
        empty={<EmptyState title="Nothing here">Nothing was done that fits what you have chosen.</EmptyState>}
        columns={columns(here, await readSubjects(here, entries))}
      />
    </>
  );
  return { title: 'Activity', lead: 'Who did what in this workspace.', body };
}

interface Narrowed {
  kind: string;
  from: string;
  to: string;
  about: string;
  by: string;
}

/** The filters in the address; invalid values are ignored. */
function narrowing(ctx: ConsoleContext): Narrowed {
  return {
    kind: chosen(ctx.query('kind'), KINDS),
    from: validIn(ctx, 'from', isCalendarDate) ?? '',
    to: validIn(ctx, 'to', isCalendarDate) ?? '',
    about: validIn(ctx, 'about', isId) ?? '',
    by: validIn(ctx, 'by', isId) ?? '',
  };
}

/** Days are in UTC. */
function filtersOf(ctx: ConsoleContext, { from, to, about, by }: Narrowed): ActivityFilters {
  const dayAfter = to === '' ? '' : addDays(to, 1);
  // The day after the last one of the year 9999 cannot be written, and nothing was done after it.
  const untilDay = isCalendarDate(dayAfter) ? `${dayAfter}T00:00:00Z` : null;
  const place = readPlace(ctx.query('cursor')) ?? { before: untilDay, beforeId: null };
  const since = from === '' ? null : `${from}T00:00:00Z`;
  return { ...place, since, subjectId: about || null, principalId: by || null };
}

function Narrowing({ kind, from, to, about, by }: Narrowed): VNode {
  return (
    <Filters kept={{ about, by }}>
      <Select name="kind" label="About" options={{ '': 'Everything', ...KINDS }} value={kind} />
      <Field name="from" label="From" type="date" value={from} />
      <Field name="to" label="Until" type="date" value={to} />
    </Filters>
  );
}

const MARKS = {
  kind: (value: string) => KINDS[value as Trail],
  from: (value: string) => `From ${dayText(value)}`,
  to: (value: string) => `Until ${dayText(value)}`,
  about: () => 'About one thing',
  by: () => 'By one of you',
};

const columns = ({ home, path }: WorkspaceContext, subjects: ReadonlyMap<string, Subject>) => ({
  What: (entry: Entry) => {
    const [words, href] = [actionText(entry.action, subjects.get(entry.subjectId)), subjectPath(home, entry)];
    return href === null ? words : <a href={href}>{words}</a>;
  },
  Details: (entry: Entry) => {
    const texts = factTexts(entry);
    return texts.length === 0 ? null : texts.map((text) => <p key={text}>{text}</p>);
  },
  By: (entry: Entry) => {
    const words = byText({ ...entry, rule: null });
    return entry.by === null ? words : <a href={`${path}?by=${entry.by.id}`}>{words}</a>;
  },
  When: ({ at }: Entry) => <Time at={at} />,
});
