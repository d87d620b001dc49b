import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownerOf, type Owner } from '../owner.js';
import { newPrincipal } from '@payroll/tools/demo/people';
import { Payroll } from '../../../packages/sdk/src/index.js';
import { Poller, walk, type List } from '../poller.js';
import { Copy } from '../documents/sdk/copy.js';
import { seeded, shuffled } from '../../support/random.js';
import { activeContract, startSystem, submittedTimesheet, type System } from '../support.js';

/** `SEEDS=20 npm test -- following` is the long form; `SEED=…` starts with that seed. */
const long = process.env['SEEDS'];
const first = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1_000_000));
const seeds = Array.from({ length: Number(long ?? 3) }, (_, n) => first + n);

const CONTRACTS = long === undefined ? 100 : 500;
const TIMESHEETS = CONTRACTS / 10;
const WRITERS = 8;
/** Enough for a walk over every list and for events still to be delivered, even on a busy machine. */
const LATE = { timeout: 30_000 };

let system: System;
let owner: Owner;
let payroll: Payroll;
let lists: Record<'contracts' | 'timesheets' | 'payments', List>;
let drafts: string[] = [];
const started = new AsyncDisposableStack();

beforeAll(async () => {
  system = started.use(await startSystem());
  owner = started.use(await ownerOf(system));
  const { secret: key, principalId } = await newPrincipal(system.access(), 'viewer');
  await owner.liftLimits(principalId);
  const restUrl = system.stack.file.rest.url;
  payroll = new Payroll({ baseUrl: restUrl, key });
  lists = {
    contracts: { restUrl, key, path: '/contracts?includeDeleted=true' },
    timesheets: { restUrl, key, path: '/timesheets' },
    payments: { restUrl, key, path: '/payments' },
  };
  drafts = await createDrafts(CONTRACTS);
  await pauseInTransactions();
});

afterAll(async () => await started.disposeAsync());

/**
 * Every write pauses after its timestamp and before its commit, for up to 8 ms depending on the row: without the change
 * clock, rows would appear behind a poller.
 */
async function pauseInTransactions(): Promise<void> {
  for (const table of ['contracts.contract', 'review.timesheet', 'payments.payment']) {
    const [schema] = table.split('.');
    await owner.database.query(`
      create function ${schema}.pause() returns trigger language plpgsql as $$
        begin perform pg_sleep(abs(hashtext(new::text) % 1000) / 125000.0); return new; end $$;
      grant execute on function ${schema}.pause() to ${schema};
      create trigger pause after insert or update on ${table} for each row execute function ${schema}.pause()`);
  }
}

/** Ten per request: the mutations of one request run one after the other. */
async function createDrafts(many: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < many) {
    const fields = Array.from(
      { length: 10 },
      (_, n) => `d${n}: createContractDraft(input: { title: "A draft" }) { id }`,
    );
    const { data, errors } = await system.send(`mutation { ${fields.join('\n')} }`);
    expect(errors).toBeUndefined();
    ids.push(...Object.values(data!).map((draft) => (draft as { id: string }).id));
  }
  return ids;
}

/**
 * Retries a write that failed because other writes held the workspace's lock for too long, with the same operation id.
 */
async function insistOn(query: string, variables: object): Promise<Record<string, unknown>> {
  const operationId = randomUUID();
  for (;;) {
    const { data, errors } = await system.send(query, { ...variables, operationId });
    if (!errors && data) return data;
    if (errors?.[0]?.extensions?.code !== 'SERVICE_UNAVAILABLE') throw new Error(JSON.stringify(errors));
  }
}

const RENAME = `mutation ($id: ID!, $title: String!, $operationId: ID) {
  updateContractDraft(id: $id, input: { title: $title }, operationId: $operationId) { id } }`;
const DELETE = `mutation ($id: ID!, $operationId: ID) { deleteContract(id: $id, operationId: $operationId) { id } }`;
const APPROVE = `mutation ($id: ID!, $version: String!, $operationId: ID) {
  approveTimesheet(id: $id, expectedVersion: $version, operationId: $operationId) { id } }`;

type Change = () => Promise<unknown>;

/** One change of each contract, for some of them the last one, mixed with submitted and approved timesheets. */
async function changesOf(seed: number, random: () => number): Promise<Change[]> {
  const [last, kept] = [drafts.slice(0, 10), drafts.slice(10)];
  drafts = [...kept, ...(await createDrafts(10))];
  const contractId = await activeContract(system.access());
  const submitAndApprove = async (): Promise<void> => {
    const { id, version } = await submittedTimesheet(system.access(), contractId);
    await insistOn(APPROVE, { id, version });
  };
  return shuffled(
    [
      ...last.map((id) => () => insistOn(DELETE, { id })),
      ...kept.map((id, n) => () => insistOn(RENAME, { id, title: `Seed ${seed}, change ${n}` })),
      ...Array.from({ length: TIMESHEETS }, () => submitAndApprove),
    ],
    random,
  );
}

it.each(seeds)(
  'seed %i: pollers and an SDK that is killed repeatedly reach every final state while eight clients write',
  async (seed) => {
    const random = seeded(seed);
    const changes = await changesOf(seed, random);
    const pollers = Object.values(lists).map((list) => new Poller(list, random));
    let writing = true;
    const copy = new Copy(payroll);
    const following = [
      ...pollers.map(async (poller) => {
        while (writing) await poller.round();
      }),
      (async () => {
        while (writing) await copy.round(1 + Math.floor(random() * 200));
      })(),
    ];
    const write = async (): Promise<void> => {
      for (let change = changes.pop(); change; change = changes.pop()) await change();
    };
    await Promise.all(Array.from({ length: WRITERS }, write)).finally(() => (writing = false));
    await Promise.all(following);
    for (const [kind, list] of Object.entries(lists)) {
      const missed = async (): Promise<unknown[]> => (await copy.round(), copy.missed(kind, await walk(list, 100)));
      await expect.poll(missed, LATE).toEqual([]);
    }
    for (const [n, list] of Object.values(lists).entries()) {
      // The last events may still be on their way to payments: repeat the round until their effects appear.
      await expect
        .poll(async () => {
          await pollers[n]!.round();
          const missed = (await walk(list, 100)).filter(
            (row) => JSON.stringify(row) !== JSON.stringify(pollers[n]!.known.get(row.id)),
          );
          return missed;
        }, LATE)
        .toEqual([]);
    }
  },
);

it.each([1, 7, 100])('pages of %i visit every row exactly once while rows are added', async (limit) => {
  const contractId = await activeContract(system.access());
  const add = async (): Promise<void> => {
    const { id, version } = await submittedTimesheet(system.access(), contractId);
    await Promise.all([createDrafts(10), insistOn(APPROVE, { id, version })]);
  };
  for (const list of Object.values(lists)) {
    const before = (await walk(list, 100)).map(({ id }) => id);
    let walking = true;
    const adding = (async () => {
      while (walking) await add();
    })();
    const visited = (await walk(list, limit).finally(() => (walking = false))).map(({ id }) => id);
    await adding;
    expect(visited.length).toBe(new Set(visited).size);
    expect(before.filter((id) => !visited.includes(id))).toEqual([]);
  }
});
