import { addDays, dayOf, newId, type Origin } from '@payroll/kernel';
import type { WorkAnswer } from '@payroll/events';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { readEntries } from '../src/domain/own-work.js';
import { rejectMilestone } from '../src/commands/review-milestone.js';
import { approveTimesheet, rejectTimesheet } from '../src/commands/review-timesheet.js';
import { versionOf } from '../src/domain/work.js';
import { codesOf, Review } from './review.js';
import type { Terms, Workspace } from './workspace.js';

const review = await Review.open('review_own_work');
const subgraph = await review.serve();
afterAll(() => review[Symbol.asyncDispose]());

const TODAY = dayOf(new Date());
const SHOWN =
  'id status unitsWorked periodStart periodEnd paymentScheduledDate submittedBy version entries { day units note } total { amount }';
const SUBMIT = `mutation ($id: ID!, $input: EnteredWorkInput!, $draftOf: String, $version: String, $operationId: ID) {
  mine: submitMyTimesheet(
    contractId: $id, input: $input, draftOf: $draftOf, draftVersion: $version, operationId: $operationId
  ) { ${SHOWN} } }`;
const FOR_CLIENT = `mutation ($id: ID!, $input: EnteredWorkInput!) {
  mine: submitTimesheetForClient(contractId: $id, input: $input) { id status submittedBy entries { day units note } } }`;
const CORRECT = `mutation ($id: ID!, $version: String!, $input: EnteredWorkInput!) {
  mine: correctMyTimesheet(id: $id, expectedVersion: $version, input: $input) { ${SHOWN} } }`;
const LIST = `query ($id: ID!) { mine: myTimesheets(contractId: $id) { ${SHOWN} } }`;
const ONE = `query ($id: ID!) { mine: myTimesheet(id: $id) { ${SHOWN} } }`;
const SAVE = `mutation ($id: ID!, $firstDay: String!, $fields: String!, $version: String) {
  mine: saveMyTimesheetDraft(contractId: $id, firstDay: $firstDay, fields: $fields, expectedVersion: $version) }`;
const DRAFT = `query ($id: ID!, $firstDay: String!) {
  mine: myTimesheetDraft(contractId: $id, firstDay: $firstDay) { fields version } }`;

interface Mine {
  id: string;
  status: string;
  unitsWorked: string;
  version: string;
  submittedBy: string | null;
  entries: { day: string; units: string; note: string | null }[] | null;
  total: { amount: string };
}

interface Scene {
  workspace: Workspace;
  contractId: string;
  workerId: string;
  wanda: Origin;
}

/** A contract with a worker, paid 50.00 EUR by the hour unless `agreed` says otherwise. */
async function scene(agreed: Partial<NonNullable<WorkAnswer>> = {}, terms: Partial<Terms> = {}): Promise<Scene> {
  const workspace = review.workspace();
  const workerId = newId();
  const contractId = await workspace.contract({ workerId, ...terms });
  const usual = { workerId, firstDay: '2026-01-01', lastDay: null, isHourly: true, submitter: null } as const;
  review.agreedWork.set(contractId, { ...usual, ...agreed });
  review.signedIn.add(workerId);
  return { workspace, contractId, workerId, wanda: workspace.worker(workerId) };
}

const ask = async <Data = Mine>(by: Origin, query: string, variables: Record<string, unknown>): Promise<Data> => {
  const answer = await subgraph.ask<{ mine: Data }>(by, query, variables);
  if (answer.errors) throw new Error(JSON.stringify(answer.errors));
  return answer.data!.mine;
};
const errorsOf = async (by: Origin, query: string, variables: Record<string, unknown>): Promise<unknown[]> => {
  const { errors = [] } = await subgraph.ask(by, query, variables);
  return errors.map(({ extensions: { code, details } }) => {
    const paths = (details as { path: string; code: string }[] | undefined) ?? [];
    return [code, ...paths.map((each) => `${each.path} ${each.code}`)].join(', ');
  });
};

const PREVIEW = 'unitsWorked total { amount } paymentScheduledDate';
/** The query that shows what a mutation would store. */
const PREVIEWS: Readonly<Record<string, string>> = {
  [SUBMIT]: `query ($id: ID!, $input: EnteredWorkInput!) {
    mine: myWorkPreview(contractId: $id, input: $input) { ${PREVIEW} } }`,
  [FOR_CLIENT]: `query ($id: ID!, $input: EnteredWorkInput!) {
    mine: workPreview(contractId: $id, input: $input) { ${PREVIEW} } }`,
};

/** Work is refused already where it is only looked at. */
const refused: typeof errorsOf = async (by, query, variables) => {
  const errors = await errorsOf(by, query, variables);
  const preview = PREVIEWS[query];
  if (preview !== undefined) expect(await errorsOf(by, preview, variables)).toEqual(errors);
  return errors;
};

const WEEK = [
  { day: '2026-03-02', units: '7.5', note: 'Interfaces' },
  { day: '2026-03-03', units: '8.25' },
];
const input = (entries: readonly object[] = WEEK, more: object = {}) => ({
  ...{ periodStart: '2026-03-02', periodEnd: '2026-03-03', entries, ...more },
});

describe('a worker submits', () => {
  it('work by day, whose sum is the work that is paid, once for one operation', async () => {
    const { contractId, wanda } = await scene();
    const once = { id: contractId, input: input(), operationId: newId() };
    const preview = await ask(wanda, PREVIEWS[SUBMIT]!, once);
    expect(preview).toEqual({
      ...{ unitsWorked: '15.75', total: { amount: '787.50' } },
      paymentScheduledDate: expect.stringMatching(/^2026-/) as string,
    });
    expect(await ask<Mine[]>(wanda, LIST, { id: contractId })).toEqual([]);
    const mine = await ask(wanda, SUBMIT, once);
    expect(mine).toMatchObject(preview);
    expect(mine).toMatchObject({ status: 'submitted', unitsWorked: '15.75', submittedBy: 'worker' });
    expect(mine.total).toEqual({ amount: '787.50' });
    expect(mine.entries).toEqual([WEEK[0], { ...WEEK[1], note: null }]);
    expect(await ask(wanda, SUBMIT, once)).toEqual(mine);
    expect(await ask<Mine[]>(wanda, LIST, { id: contractId })).toEqual([mine]);
  });

  it.each([
    ['no day', input([]), 'entries out_of_range'],
    ['a day twice', input([WEEK[0]!, WEEK[0]!]), 'entries repeated'],
    ['25 hours', input([{ day: '2026-03-02', units: '25' }]), 'entries[0].units out_of_range'],
    ['nothing on a day', input([{ day: '2026-03-02', units: '0' }]), 'entries[0].units not_positive'],
    ['nine decimals', input([{ day: '2026-03-02', units: '1.000000001' }]), 'entries[0].units too_precise'],
    ['a day outside of the period', input([{ day: '2026-03-04', units: '1' }]), 'entries outside_period'],
    ['a long note', input([{ day: '2026-03-02', units: '1', note: 'n'.repeat(501) }]), 'entries[0].note too_long'],
    ['a period before the contract', input(WEEK, { periodStart: '2025-12-31' }), 'periodStart before_contract'],
  ])('not %s', async (_, given, problem) => {
    const { contractId, wanda } = await scene();
    expect(await refused(wanda, SUBMIT, { id: contractId, input: given })).toEqual([`VALIDATION_FAILED, ${problem}`]);
  });

  it('no day after the contract, and none after tomorrow', async () => {
    const { contractId, wanda } = await scene({ lastDay: '2026-03-02' });
    expect(await refused(wanda, SUBMIT, { id: contractId, input: input() })).toEqual([
      'VALIDATION_FAILED, periodEnd after_contract',
    ]);
    const open = await scene();
    const on = (day: string) => ({ periodStart: day, periodEnd: day, entries: [{ day, units: '1' }] });
    const [tomorrow, later] = [addDays(TODAY, 1), addDays(TODAY, 2)];
    expect(await refused(open.wanda, SUBMIT, { id: open.contractId, input: on(later) })).toEqual([
      'VALIDATION_FAILED, periodEnd in_future',
    ]);
    expect(await ask(open.wanda, SUBMIT, { id: open.contractId, input: on(tomorrow) })).toMatchObject({
      status: 'submitted',
    });
  });

  it('one number where work is not paid by the hour', async () => {
    const { contractId, wanda } = await scene({ isHourly: false });
    expect(await refused(wanda, SUBMIT, { id: contractId, input: input() })).toEqual([
      'VALIDATION_FAILED, entries not_hourly',
    ]);
    const given = { periodStart: '2026-03-02', periodEnd: '2026-03-06', unitsWorked: '4' };
    const mine = await ask(wanda, SUBMIT, { id: contractId, input: given });
    expect(mine).toMatchObject({ unitsWorked: '4', entries: null });
  });

  it('hours of a period as one number, at most 24 for each of its days', async () => {
    const { contractId, wanda } = await scene();
    const given = { periodStart: '2026-03-02', periodEnd: '2026-03-03', unitsWorked: '48.01' };
    expect(await refused(wanda, SUBMIT, { id: contractId, input: given })).toEqual([
      'VALIDATION_FAILED, unitsWorked out_of_range',
    ]);
    const mine = await ask(wanda, SUBMIT, { id: contractId, input: { ...given, unitsWorked: '48' } });
    expect(mine).toMatchObject({ unitsWorked: '48', entries: null });
  });

  it.each([
    ['monthly', '2026-05-04', '2026-05-04', '0.03', '1'],
    ['monthly', '2026-05-01', '2026-05-15', '0.5', '0.51'],
    ['monthly', '2026-02-02', '2026-02-27', '1', '1.1'],
    ['monthly', '2026-04-15', '2026-05-14', '1', '2'],
    ['monthly', '2026-08-03', '2026-08-31', '1', '1.1'],
    ['monthly', '2026-02-15', '2026-03-14', '1', '1.1'],
    ['monthly', '2026-01-01', '2026-06-30', '6', '6.5'],
    ['weekly', '2026-05-04', '2026-05-08', '1', '1.01'],
    ['weekly', '2026-05-04', '2026-05-07', '0.5', '1'],
    ['weekly', '2026-05-09', '2026-05-13', '0.7', '1'],
    ['biweekly', '2026-05-04', '2026-05-15', '1', '2'],
    ['daily', '2026-05-04', '2026-05-08', '5', '5.5'],
  ] as const)('of a %s retainer from %s to %s at most %s periods, not %s', async (paymentFrequency, ...given) => {
    const { contractId, wanda } = await scene({ isHourly: false, compensationType: 'retainer', paymentFrequency });
    const [periodStart, periodEnd, most, tooMuch] = given;
    const input = { periodStart, periodEnd, unitsWorked: tooMuch };
    expect(await refused(wanda, SUBMIT, { id: contractId, input })).toEqual([
      'VALIDATION_FAILED, unitsWorked out_of_range',
    ]);
    const mine = await ask(wanda, SUBMIT, { id: contractId, input: { ...input, unitsWorked: most } });
    expect(mine).toMatchObject({ unitsWorked: most });
  });

  it.each([
    ['a month that is over', '2026-01-31', false, true],
    ['days within a month', '2026-01-22', false, false],
    ['a first payment in proportion', '2026-01-31', true, false],
  ])('of a retainer that began late one whole period for %s', async (_, periodEnd, isFirstProRata, isAllowed) => {
    const agreed = { paymentFrequency: 'monthly', firstDay: '2026-01-20', isFirstProRata } as const;
    const { contractId, wanda } = await scene({ isHourly: false, compensationType: 'retainer', ...agreed });
    const input = { periodStart: '2026-01-20', periodEnd, unitsWorked: '1' };
    const refusals = isAllowed ? [] : ['VALIDATION_FAILED, unitsWorked out_of_range'];
    expect(await errorsOf(wanda, SUBMIT, { id: contractId, input })).toEqual(refusals);
  });

  it('of a retainer at most one period for each day, and nothing where there is no rate', async () => {
    const { contractId, wanda, workspace } = await scene({ isHourly: false, compensationType: 'retainer' });
    const given = { periodStart: '2026-03-02', periodEnd: '2026-03-08', unitsWorked: '7.5' };
    expect(await refused(wanda, SUBMIT, { id: contractId, input: given })).toEqual([
      'VALIDATION_FAILED, unitsWorked out_of_range',
    ]);
    const terms = 'query ($id: ID!) { mine: myWorkTerms(contractId: $id) { maySubmit compensationType } }';
    const mine = { id: contractId };
    expect(await ask(wanda, terms, mine)).toEqual({ maySubmit: true, compensationType: 'retainer' });
    await workspace.termsChanged({ contractId, revision: 2, rate: null });
    expect(await ask(wanda, terms, mine)).toEqual({ maySubmit: false, compensationType: 'retainer' });
    expect(await refused(wanda, SUBMIT, { id: contractId, input: { ...given, unitsWorked: '1' } })).toEqual([
      'INVALID_STATE',
    ]);
  });

  it('nothing where the business submits, and nothing under a contract of another worker', async () => {
    const { contractId, wanda, workspace } = await scene({ submitter: 'client' });
    expect(await refused(wanda, SUBMIT, { id: contractId, input: input() })).toEqual(['INSUFFICIENT_SCOPE']);
    const other = await scene();
    const strangers = [workspace.worker(newId()), other.wanda, review.workspace().worker(newId())];
    for (const stranger of strangers) {
      expect(await refused(stranger, SUBMIT, { id: contractId, input: input() })).toEqual(['NOT_FOUND']);
    }
  });

  it('no period that other work covers', async () => {
    const { contractId, wanda } = await scene();
    await ask(wanda, SUBMIT, { id: contractId, input: input() });
    expect(await refused(wanda, SUBMIT, { id: contractId, input: input() })).toEqual([
      'VALIDATION_FAILED, periodStart overlaps',
    ]);
  });

  it('a day that was left empty between others, but no other day of the period', async () => {
    const { contractId, wanda } = await scene();
    const on = (...days: string[]) => {
      const entries = days.map((day) => ({ day, units: '8', note: null }));
      return { id: contractId, input: { periodStart: days[0], periodEnd: days.at(-1), entries, unitsWorked: null } };
    };
    await ask(wanda, SUBMIT, on('2026-06-01', '2026-06-03'));
    const taken = ['VALIDATION_FAILED, periodStart overlaps'];
    expect(await refused(wanda, SUBMIT, on('2026-06-02', '2026-06-03'))).toEqual(taken);
    expect(await ask(wanda, SUBMIT, on('2026-06-02'))).toMatchObject({ status: 'submitted' });
    expect(await refused(wanda, SUBMIT, on('2026-06-02'))).toEqual(taken);
  });

  it('under a contract whose worker review learns only now', async () => {
    const { contractId, wanda, workspace } = await scene();
    await workspace.termsChanged({ contractId, revision: 2, workerId: null });
    expect(await ask(wanda, SUBMIT, { id: contractId, input: input() })).toMatchObject({ status: 'submitted' });
  });
});

describe('the client submits', () => {
  it('where the contract says so, or says nothing and the worker does not sign in', async () => {
    const agreed = await scene({ submitter: 'client' });
    const { admin, member } = agreed.workspace.people;
    const mine = await ask(admin, FOR_CLIENT, { id: agreed.contractId, input: input() });
    expect(mine).toMatchObject({ status: 'submitted', submittedBy: 'client' });
    const silent = await scene();
    review.signedIn.delete(silent.workerId);
    const other = silent.workspace.people.member;
    expect(await ask(other, FOR_CLIENT, { id: silent.contractId, input: input() })).toMatchObject({
      submittedBy: 'client',
    });
    expect(await refused(member, FOR_CLIENT, { id: agreed.contractId, input: input() })).toEqual([
      'VALIDATION_FAILED, periodStart overlaps',
    ]);
  });

  it('and corrects it: a rejection mails the worker only about work of their own', async () => {
    const { contractId, workspace, wanda } = await scene({ submitter: 'client' });
    const reject = async (id: string): Promise<unknown[]> => {
      const { version: expectedVersion } = await ask(wanda, ONE, { id });
      await review.commands.run(rejectTimesheet, { id, expectedVersion, reason: 'Less' }, workspace.application);
      const told = review.emitted.filter(({ type, aboutId }) => type === 'notice.work' && aboutId === id);
      return told.map(({ body }) => (body as { kind: string }).kind);
    };
    const theirs = await ask(workspace.people.admin, FOR_CLIENT, { id: contractId, input: input() });
    expect(await reject(theirs.id)).toEqual(['work_waiting']);
    review.agreedWork.set(contractId, { ...review.agreedWork.get(contractId)!, submitter: 'contractor' });
    const own = await ask(wanda, SUBMIT, { id: contractId, input: input() });
    expect(await reject(own.id)).toEqual(['work_waiting', 'work_sent_back']);
  });

  it('nothing where the worker submits, and never as a viewer, a key or a team', async () => {
    for (const submitter of ['contractor', null] as const) {
      const { workspace, contractId } = await scene({ submitter });
      const sent = { id: contractId, input: input() };
      expect(await refused(workspace.people.admin, FOR_CLIENT, sent)).toEqual(['INSUFFICIENT_SCOPE']);
    }
    const { workspace, contractId } = await scene({ submitter: 'client' });
    for (const by of [workspace.people.viewer, workspace.admin, workspace.staff, workspace.application]) {
      expect(await refused(by, FOR_CLIENT, { id: contractId, input: input() })).toEqual(['INSUFFICIENT_SCOPE']);
    }
  });
});

describe('a worker corrects', () => {
  it('work that waits: a reviewer of the former version is refused', async () => {
    const { contractId, wanda, workspace } = await scene();
    const first = await ask(wanda, SUBMIT, { id: contractId, input: input() });
    const given = { id: first.id, version: first.version, input: input([{ day: '2026-03-02', units: '6' }]) };
    const second = await ask(wanda, CORRECT, given);
    expect(second).toMatchObject({ id: first.id, status: 'submitted', unitsWorked: '6' });
    expect(second.version).not.toBe(first.version);
    const approve = (expectedVersion: string) =>
      review.commands.run(approveTimesheet, { id: first.id, expectedVersion }, workspace.application);
    await expect(approve(first.version)).rejects.toMatchObject({ code: 'STALE_RESOURCE_VERSION' });
    expect(await refused(wanda, CORRECT, given)).toEqual(['STALE_RESOURCE_VERSION']);
    await approve(second.version);
    expect(
      await refused(wanda, CORRECT, { ...given, version: (await ask(wanda, ONE, { id: first.id })).version }),
    ).toEqual(['INVALID_STATE']);
  });

  it('rejected work, whose reason they read', async () => {
    const { contractId, wanda, workspace } = await scene();
    const { id, version } = await ask(wanda, SUBMIT, { id: contractId, input: input() });
    const rejected = { id, expectedVersion: version, reason: 'Monday was a holiday.' };
    await review.commands.run(rejectTimesheet, rejected, workspace.application);
    const read = `query ($id: ID!) { mine: myTimesheet(id: $id) { version rejectionReason } }`;
    const mine = await ask<{ version: string; rejectionReason: string }>(wanda, read, { id });
    expect(mine.rejectionReason).toBe('Monday was a holiday.');
    const corrected = input([{ day: '2026-03-03', units: '8.25' }]);
    expect(await ask(wanda, CORRECT, { id, version: mine.version, input: corrected })).toMatchObject({
      status: 'submitted',
      unitsWorked: '8.25',
    });
  });
});

it('rejected work of a contract that has ended is not mailed to the worker as sent back: a correction would be refused', async () => {
  const { contractId, wanda, workerId, workspace } = await scene();
  const timesheet = await ask(wanda, SUBMIT, { id: contractId, input: input() });
  const [milestoneId] = await workspace.milestonesAgreed(contractId);
  const submit = 'mutation ($id: ID!) { mine: submitMyMilestone(id: $id) { id } }';
  await ask(wanda, submit, { id: milestoneId });
  await workspace.termsChanged({ contractId, revision: 2, workerId, status: 'completed' });
  const rejected = { id: timesheet.id, expectedVersion: timesheet.version, reason: 'Less' };
  await review.commands.run(rejectTimesheet, rejected, workspace.application);
  const milestone = { id: milestoneId!, expectedVersion: versionOf(milestoneId!, 2), reason: 'Less' };
  await review.commands.run(rejectMilestone, milestone, workspace.application);
  const told = review.emitted.filter(({ type, workspaceId }) => type === 'notice.work' && workspaceId === workspace.id);
  expect(told.map(({ body }) => (body as { kind: string }).kind)).toEqual(['work_waiting', 'work_waiting']);
});

describe('a worker sees', () => {
  it('no work of another worker of the workspace, by any id', async () => {
    const { contractId, wanda, workspace } = await scene();
    const { id, version } = await ask(wanda, SUBMIT, { id: contractId, input: input() });
    const [milestoneId] = await workspace.milestonesAgreed(contractId);
    const stranger = workspace.worker(newId());
    expect(await ask<Mine[]>(stranger, LIST, { id: contractId })).toEqual([]);
    expect(await ask(stranger, ONE, { id })).toBeNull();
    expect(
      await ask(stranger, 'query ($id: ID!) { mine: myMilestones(contractId: $id) { id } }', { id: contractId }),
    ).toEqual([]);
    expect(
      await ask(stranger, 'query ($id: ID!) { mine: myMilestone(id: $id) { id } }', { id: milestoneId }),
    ).toBeNull();
    expect(
      await ask(stranger, 'query ($id: ID!) { mine: myWorkTerms(contractId: $id) { firstDay } }', { id: contractId }),
    ).toBeNull();
    const both = `query ($id: ID!, $milestoneId: ID!) {
      mine: myWork(timesheets: [$id, "no-id"], milestones: [$milestoneId]) { timesheets { id } milestones { id } } }`;
    const work = both.replace(', "no-id"', '');
    expect(await ask(wanda, work, { id, milestoneId })).toEqual({
      timesheets: [{ id }],
      milestones: [{ id: milestoneId }],
    });
    for (const query of [work, both]) {
      expect(await ask(stranger, query, { id, milestoneId })).toEqual({ timesheets: [], milestones: [] });
    }
    expect(await refused(stranger, CORRECT, { id, version, input: input() })).toEqual(['NOT_FOUND']);
    const submit = 'mutation ($id: ID!) { mine: submitMyMilestone(id: $id) { id } }';
    expect(await refused(stranger, submit, { id: milestoneId })).toEqual(['NOT_FOUND']);
    expect(await refused(stranger, SAVE, { id: contractId, firstDay: '2026-03-02', fields: '{}' })).toEqual([
      'NOT_FOUND',
    ]);
  });

  it('nothing of the queue, of decisions or of other lists, whole documents at a time', async () => {
    const { contractId, wanda } = await scene();
    const { id, version } = await ask(wanda, SUBMIT, { id: contractId, input: input() });
    const documents = [
      '{ reviewQueue(limit: 1) { nodes { id } } }',
      '{ timesheets(limit: 1) { nodes { id } } }',
      `{ timesheet(id: "${id}") { id } }`,
      `{ milestones(contractId: "${contractId}", limit: 1) { nodes { id } } }`,
      `{ myTimesheet(id: "${id}") { id } timesheet(id: "${id}") { id } }`,
      `{ _entities(representations: [{ __typename: "Timesheet", id: "${id}" }]) { ... on Timesheet { id } } }`,
      `{ _entities(representations: [{ __typename: "Contract", id: "${contractId}" }]) { ... on Contract { id } } }`,
      `mutation { approveTimesheet(id: "${id}", expectedVersion: "${version}") { id } }`,
      `mutation { rejectTimesheet(id: "${id}", expectedVersion: "${version}", reason: "r") { id } }`,
    ];
    for (const document of documents) {
      expect(codesOf(await subgraph.ask(wanda, document)), document).toEqual(['INSUFFICIENT_SCOPE']);
    }
  });
});

describe('a draft', () => {
  it('keeps the typed text to the byte, only its worker sees it, and it is deleted once the work is submitted', async () => {
    const { contractId, wanda, workspace, workerId } = await scene();
    const fields = JSON.stringify({ 'units-2026-03-02': ' 7:30 ', 'note-2026-03-02': 'a “quote” \u0001' });
    const which = { id: contractId, firstDay: '2026-03-02' };
    expect(await refused(wanda, SAVE, { ...which, fields: '\0' })).toEqual(['VALIDATION_FAILED, fields too_short']);
    await ask(wanda, SAVE, { ...which, fields });
    const draft = await ask<{ fields: string; version: string }>(wanda, DRAFT, which);
    expect(draft.fields).toBe(fields);
    expect(await ask(workspace.worker(workerId), DRAFT, which)).toBeNull();
    const noDay = { ...which, firstDay: 'x' };
    expect(await refused(wanda, SAVE, { ...noDay, fields })).toEqual(['VALIDATION_FAILED, firstDay invalid_format']);
    expect(await ask(wanda, DRAFT, noDay)).toBeNull();
    expect(await ask<Mine[]>(wanda, LIST, { id: contractId })).toEqual([]);
    await ask(wanda, SUBMIT, { id: contractId, input: input(), draftOf: '2026-03-02', version: draft.version });
    expect(await ask(wanda, DRAFT, which)).toBeNull();
  });

  it('is neither replaced nor deleted by a window that has not seen it', async () => {
    const { contractId, wanda } = await scene();
    const which = { id: contractId, firstDay: '2026-03-02' };
    const draft = () => ask<{ fields: string; version: string }>(wanda, DRAFT, which);
    await ask(wanda, SAVE, { ...which, fields: '{"a":"first"}' });
    const { version } = await draft();
    await ask(wanda, SAVE, { ...which, fields: '{"a":"second"}', version });
    for (const seen of [null, version]) {
      const late = { ...which, fields: '{"a":"late"}', version: seen };
      expect(await refused(wanda, SAVE, late)).toEqual(['STALE_RESOURCE_VERSION']);
    }
    await ask(wanda, SAVE, { ...which, fields: '{"a":"second"}' });
    await ask(wanda, SUBMIT, { id: contractId, input: input(), draftOf: '2026-03-02', version });
    expect((await draft()).fields).toBe('{"a":"second"}');
  });
});

it('a worker submits a milestone with a note, and again once it was rejected', async () => {
  const { contractId, wanda, workspace } = await scene();
  const [id] = await workspace.milestonesAgreed(contractId);
  const submit = 'mutation ($id: ID!, $note: String) { mine: submitMyMilestone(id: $id, note: $note) { status note } }';
  const submitted = await ask(wanda, submit, { id, note: ' On the server. ' });
  expect(submitted).toEqual({ status: 'submitted', note: 'On the server.' });
  expect(await refused(wanda, submit, { id, note: null })).toEqual(['INVALID_STATE']);
});

it('the sum of the entries is exact for any of them', () => {
  const day = fc.integer({ min: 1, max: 30 }).map((n) => addDays('2026-01-01', n));
  const units = fc.integer({ min: 1, max: 240_000 }).map((n) => [n, String(n / 10_000)] as const);
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(day, units), { minLength: 1, maxLength: 30, selector: ([on]) => on }),
      (given) => {
        const { unitsWorked } = readEntries(given.map(([on, [, text]]) => ({ day: on, units: text })));
        expect(Math.round(Number(unitsWorked) * 10_000)).toBe(given.reduce((sum, [, [n]]) => sum + n, 0));
      },
    ),
  );
});
