import { moveCalendarInSandbox } from '@payroll/service';
import { afterAll, expect, it } from 'vitest';
import { approveTimesheet } from '../src/commands/review-timesheet.js';
import { submitTimesheet } from '../src/commands/submit-timesheet.js';
import { runAutoApproval } from '../src/runners.js';
import type { Timesheet } from '../src/store/views.js';
import { Review } from './review.js';
import type { Workspace } from './workspace.js';

const review = await Review.open('review_calendar');
afterAll(() => review[Symbol.asyncDispose]());

const inTest = moveCalendarInSandbox.in('test');
const advance = (at: Workspace, daysAhead: number): Promise<number> =>
  review.commands.run(inTest, { daysAhead }, at.people.admin);

async function submit(at: Workspace, day = '2027-03-01'): Promise<Timesheet> {
  const contractId = await at.contract({ autoApproveAfterDays: 7 });
  const work = { contractId, periodStart: day, periodEnd: day, unitsWorked: '8' };
  return await review.commands.run(submitTimesheet, work, at.application);
}

async function statusesOf(at: Workspace): Promise<string[]> {
  const rows = await at.rows<{ status: string; created_at: string }>('timesheet');
  return rows.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1)).map(({ status }) => status);
}

it('an advanced calendar approves by rule in that workspace alone; timestamps stay real', async () => {
  const [at, other] = [review.workspace(), review.workspace()];
  const [submitted] = [await submit(at), await submit(other)];
  await advance(at, 6);
  await runAutoApproval(review.parts);
  expect(await statusesOf(at)).toEqual(['submitted']);
  await advance(at, 7);
  await runAutoApproval(review.parts);
  expect(await statusesOf(at)).toEqual(['approved']);
  expect(await statusesOf(other)).toEqual(['submitted']);
  const [{ updated_at: updatedAt }] = (await at.rows<{ updated_at: string }>('timesheet')) as [{ updated_at: string }];
  const minutes = (Date.parse(updatedAt) - Date.parse(submitted!.submittedAt)) / 60_000;
  expect(minutes).toBeGreaterThan(0);
  expect(minutes).toBeLessThan(10);
});

it('days count from where the calendar was when the work was submitted', async () => {
  const at = review.workspace();
  await advance(at, 30);
  await submit(at);
  await runAutoApproval(review.parts);
  expect(await statusesOf(at)).toEqual(['submitted']);
  await advance(at, 37);
  await runAutoApproval(review.parts);
  expect(await statusesOf(at)).toEqual(['approved']);
});

it('approval uses the calendar as read in the transaction, not as the job read it before', async () => {
  const at = review.workspace();
  await advance(at, 1);
  const { id, version } = await submit(at);
  const listed = { id, expectedVersion: version, byRule: { daysAhead: 30 } };
  const approve = () => review.commands.run(approveTimesheet, listed, at.staff);
  for (const days of [1, 7]) {
    await advance(at, days);
    await expect(approve()).rejects.toMatchObject({ code: 'INVALID_STATE' });
  }
  await advance(at, 8);
  await approve();
  expect(await statusesOf(at)).toEqual(['approved']);
});

it('a live deployment ignores the calendar table and refuses to move it', async () => {
  const at = review.workspace();
  await submit(at);
  await advance(at, 30);
  await runAutoApproval({ ...review.parts, deployment: 'live' });
  expect(await statusesOf(at)).toEqual(['submitted']);
  const inLive = moveCalendarInSandbox.in('live');
  const moved = review.commands.run(inLive, { daysAhead: 31 }, at.people.admin);
  await expect(moved).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
});
