import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, describe, expect, it } from 'vitest';
import { writeBody } from '../../../packages/sdk/src/body.js';
import { Payroll, newOperation, type Reviewed } from '../../../packages/sdk/src/index.js';
import { newPrincipal } from '@payroll/tools/demo/people';
import { seeded } from '../../support/random.js';
import { Passage } from '../../support/tcp-proxy.js';
import { submittedMilestones } from '../milestones.js';
import { ownerOf } from '../owner.js';
import { walk } from '../poller.js';
import { Folder, quickStart } from './sdk/package.js';
import { activeContract, joinSystem, paymentsOf, submittedTimesheet, type Json } from '../support.js';

// The SDK as integrators get it: packed, installed into an empty folder, run against the whole system.

/** `RUNS=1000 npm test -- system/sdk` is the long form. */
const RUNS = Number(process.env['RUNS'] ?? 30);

const started = new AsyncDisposableStack();

const system = await joinSystem();
const owner = started.use(await ownerOf(system));
const folder = started.use(new Folder());
const { secret, principalId } = await newPrincipal(system.access(), 'admin');
await owner.liftLimits(principalId);
const env = { URL: system.stack.file.rest.url, API_KEY: secret };
let contractId = await activeContract(system.access());
afterAll(async () => await started.disposeAsync());

const submitted = (): Promise<Reviewed> => submittedTimesheet(system.access(), contractId);

it("its README's program drafts, approves and reads the payment", async () => {
  const { id } = await submitted();
  folder.write('quick-start.js', quickStart());
  const { code, stdout, stderr } = await folder.node(env, 'quick-start.js');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^Draft \S+ is to be completed in the application\n/);
  expect(stdout).toContain(`Approved ${id}: its payment is pending`);
});

// A program whose compilation proves the types: they accept every example of the contract document and reject wrong
// uses.

interface Media {
  schema: { $ref?: string };
  examples?: Record<string, { value: unknown }>;
}

/** The SDK's type for a schema of the document; null for schemas that callers never hold. */
function typeOf(media: Media): string | null {
  const name = media.schema.$ref?.split('/').at(-1) ?? '';
  const list = /^(\w+)List$/.exec(name)?.[1];
  if (list !== undefined) return `Page<${list === 'Contract' ? 'ContractSummary' : list}>`;
  return /^(ContractDraft|ContractSummary|ContractDetail|Timesheet|Milestone|Payment|Balances|Business)$/.test(name)
    ? name
    : null;
}

/** Each example as a constant of its type. */
function examplesOf(document: Json): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const media = (node as Json)['application/json'] as Media | undefined;
    const type = media && typeOf(media);
    for (const { value } of type ? Object.values(media.examples ?? {}) : []) {
      found.push(`export const example${found.length}: ${type} = ${JSON.stringify(value)};`);
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(document['paths']);
  return found;
}

const WRONG_USES = [
  'payroll.createContract({ title: "x" });',
  'payroll.createContract({ title: "x" }, {});',
  'payroll.createContract({}, writing);',
  'payroll.createContract({ title: "x", nickname: "y" }, writing);',
  'payroll.createContract({ title: "x", contractType: "contractor" }, writing);',
  'payroll.createContract({ title: "x", noticePeriodDays: "30" }, writing);',
  'payroll.approveTimesheet("019a8c10-5d2e-7f61-b3a4-9e07c1d58203", writing);',
  'payroll.approveTimesheet({ id: "x" }, writing);',
  'payroll.rejectMilestone({ id: "x", version: "y" }, writing);',
  'payroll.listTimesheets({ status: "paid" });',
  'payroll.listContracts({ includeDeleted: true });',
  'payroll.listMilestones({ status: "submitted" });',
  'payroll.getBalances().then(({ available }) => available[0]!.amount * 2);',
];

const programOf = (document: Json): string => `
import { Payroll, type Balances, type Business, type ContractDetail, type ContractDraft, type ContractSummary,
  type Milestone, type Page, type Payment, type Timesheet } from '@payroll/sdk';
declare const payroll: Payroll;
const writing = { operation: 'approve-2026-11-03' };
${examplesOf(document).join('\n')}
export const exact: ContractDraft = { title: 'x', compensation: { type: 'hourly', rate: '85.10' }, milestones: [{ title: 'y', amount: '1' }] };
${WRONG_USES.map((use) => `// @ts-expect-error\n${use}`).join('\n')}
void payroll.approveTimesheet({ id: 'x', version: 'y' }, writing);
`;

it('has types that accept every example of the contract document and reject wrong uses', async () => {
  const document = await new Payroll({ baseUrl: env.URL, key: env.API_KEY }).getOpenApi();
  expect(examplesOf(document).length).toBeGreaterThan(15);
  folder.write('program.ts', programOf(document));
  expect(folder.typeErrorsIn('program.ts')).toBe('');
});

it('treats exactly the decimals of the contract document as decimals', async () => {
  const { components } = await new Payroll({ baseUrl: env.URL, key: env.API_KEY }).getOpenApi();
  const { schemas } = components as { schemas: Record<string, { properties?: Record<string, { type?: string }> }> };
  const properties = Object.values(schemas).flatMap((schema) => Object.entries(schema.properties ?? {}));
  const decimals = new Set(properties.filter(([, { type }]) => type === 'number').map(([name]) => name));
  for (const [name, { type }] of properties) {
    const isDecimal = writeBody({ [name]: '1' }) === `{"${name}":1}`;
    // `amount` is an object in answers.
    if (type !== undefined) expect([name, isDecimal]).toEqual([name, decimals.has(name)]);
  }
});

it('is small, and publishes only its code and types', async () => {
  const bundle = await rolldown({ input: join(folder.path, 'node_modules/@payroll/sdk/dist/index.js') });
  const { output } = await bundle.generate({ minify: true });
  expect(output[0].code.length).toBeLessThan(30_000);
  const strange = folder.files.filter((file) => !/\/(package\.json|README\.md|dist\/[\w-]+\.(js|d\.ts))$/.test(file));
  expect(strange).toEqual([]);
});

describe('an example', () => {
  async function listings(): Promise<Record<string, unknown[]>> {
    const list = (path: string) => ({ restUrl: env.URL, key: env.API_KEY, path });
    const contracts = await walk(list('/contracts?includeDeleted=true'), 100);
    const milestones = await Promise.all(contracts.map(({ id }) => walk(list(`/contracts/${id}/milestones`), 100)));
    const [timesheets, payments] = await Promise.all([walk(list('/timesheets'), 100), walk(list('/payments'), 100)]);
    return { contracts, milestones: milestones.flat(), timesheets, payments };
  }

  const byId = (rows: unknown[]): unknown[] =>
    (rows as { id: string }[]).toSorted((one, other) => (one.id < other.id ? -1 : 1));

  it('keeps a copy in SQLite', async () => {
    await submittedMilestones(system.access(), 3);
    folder.example('into-sqlite.mjs');
    const kept = async (): Promise<Record<string, unknown[]>> => {
      expect(await folder.node(env, 'into-sqlite.mjs', 'copy.db')).toMatchObject({ code: 0, stderr: '' });
      using db = new DatabaseSync(join(folder.path, 'copy.db'));
      const rows = db.prepare('select kind, body from item').all() as { kind: string; body: string }[];
      const all = Object.groupBy(rows, ({ kind }) => kind);
      return Object.fromEntries(
        Object.entries(all).map(([kind, of]) => [kind, of!.map(({ body }) => JSON.parse(body) as unknown)]),
      );
    };
    const expectEqual = async (): Promise<void> => {
      const [copy, listed] = [await kept(), await listings()];
      for (const [kind, rows] of Object.entries(listed))
        expect([kind, byId(copy[kind] ?? [])]).toEqual([kind, byId(rows)]);
    };
    await expectEqual();
    const { id, version } = await submitted();
    await new Payroll({ baseUrl: env.URL, key: env.API_KEY }).rejectTimesheet({ id, version }, 'Too many', {
      operation: newOperation(),
    });
    await expectEqual();
  });

  it('keeps a copy in Postgres', async () => {
    folder.example('into-postgres.mjs', 'pg');
    const withDatabase = { ...env, DATABASE_URL: system.stack.database.ownerUrl };
    expect(await folder.node(withDatabase, 'into-postgres.mjs')).toMatchObject({ code: 0, stderr: '' });
    const { rows } = await owner.database.query<{ kind: string; bodies: unknown[] }>(
      'select kind, json_agg(body) as bodies from payroll_copy.item group by kind',
    );
    const listed = await listings();
    for (const { kind, bodies } of rows) expect([kind, byId(bodies)]).toEqual([kind, byId(listed[kind]!)]);
    expect(rows.length).toBe(4);
  });

  it('applies the decisions of a spreadsheet, each once', async () => {
    const [first, second, third] = [await submitted(), await submitted(), await submitted()];
    folder.example('review-by-csv.mjs', 'csv-parse');
    const { stdout: sheet } = await folder.node(env, 'review-by-csv.mjs', 'list');
    const decided = sheet
      .replace(`"${first.version}"`, `"'${first.version}"`)
      .replace(new RegExp(`("${first.id}".*),"",""\n`), '$1,"approve",""\n')
      .replace(new RegExp(`("${second.id}".*),"",""\n`), '$1,"reject","Not, ""yet"""\n')
      .replace(`"${third.version}"`, '"an older one"')
      .replace(new RegExp(`("${third.id}".*),"",""\n`), '$1,"approve",""\n');
    folder.write('review.csv', decided);
    const once = await folder.node(env, 'review-by-csv.mjs', 'decide', 'review.csv');
    const [payment] = await paymentsOf(system.access(), contractId, first.id);
    expect(once.stdout).toContain(`"${first.id}","approve","approved","${payment}"\n`);
    expect(once.stdout).toContain(`"${second.id}","reject","rejected",""\n`);
    expect(once.stdout).toMatch(new RegExp(`"${third.id}","approve","not done: .* a new operation`));
    folder.write('review.csv', decided.replaceAll('","', '";"'));
    expect(await folder.node(env, 'review-by-csv.mjs', 'decide', 'review.csv')).toEqual(once);
    expect(await paymentsOf(system.access(), contractId, first.id)).toEqual([payment]);
  });
});

it(
  `${RUNS} approvals over a network that drops any answer make one payment each`,
  { timeout: 30_000 + RUNS * 3_000 },
  async () => {
    const random = seeded(RUNS);
    await using passage = await Passage.to(Number(new URL(env.URL).port));
    let attempts = 0;
    const payroll = new Payroll({ baseUrl: passage.through(env.URL), key: env.API_KEY, onAttempt: () => attempts++ });
    for (let run = 0; run < RUNS; run++) {
      const own = run % 25 === 0 ? (contractId = await activeContract(system.access())) : contractId;
      const work = await submitted();
      passage.answersToLose = Math.floor(random() * 3);
      if (random() < 0.3) setTimeout(() => passage.cut(), random() * 20);
      const { paymentId } = await payroll.approveTimesheet(work, { operation: newOperation() });
      await expect.poll(() => paymentsOf(system.access(), own, work.id)).toEqual([paymentId]);
    }
    expect(attempts).toBeGreaterThan(RUNS);
  },
);
