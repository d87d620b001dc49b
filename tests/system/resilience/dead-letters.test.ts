import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repositoryRoot } from '@payroll/infra/processes';
import { submittedMilestones } from '../milestones.js';
import { ownerOf, type Owner } from '../owner.js';
import { startSystem, type System } from '../support.js';

// Follows the runbook's page with planted dead letters: approvals whose payments Postgres refuses.

const started = new AsyncDisposableStack();
let system: System;
let owner: Owner;
beforeAll(async () => {
  system = started.use(await startSystem());
  owner = started.use(await ownerOf(system));
});
afterAll(async () => await started.disposeAsync());

const eventually = { timeout: 60_000, interval: 250 };

/** The commands on a page of the runbook, in order. */
function pageOf(alert: string): string[] {
  const runbook = readFileSync(join(repositoryRoot, 'docs/runbook.md'), 'utf8');
  const [, page = ''] = new RegExp(`^## ${alert}\n(.*?)^## `, 'ms').exec(runbook) ?? [];
  return [...page.matchAll(/^ *```sh\n(.*?)^ *```/gms)].flatMap(([, block]) => block!.trim().split(/\n */));
}

interface Said {
  code: number;
  out: string;
}

/** Runs a command of the runbook against this system instead of one started by `npm start`. */
async function type(command: string, fillIn: Readonly<Record<string, string>> = {}): Promise<Said> {
  const typed = Object.entries({ ...fillIn, ' --project payroll': '', 'npm run ': 'npm run --silent ' }).reduce(
    (text, [what, own]) => text.replace(what, own),
    command,
  );
  const env = { ...process.env, STACK_DIR: system.stack.dir };
  try {
    return { code: 0, out: (await promisify(execFile)('sh', ['-c', typed], { cwd: repositoryRoot, env })).stdout };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout + stderr };
  }
}

/** Approves work while payments cannot store a payment. @returns the ids of the dead letters, oldest work first. */
async function plant(count: number): Promise<string[]> {
  await owner.database.query('alter table payments.payment add constraint planted check (gross < 0) not valid');
  const key = system.workspaces[0].apiKeys.admin;
  for (const { id, version } of await submittedMilestones(system.access(), count)) {
    const body = { expectedVersion: version };
    expect(await system.rest(key, 'POST', `/milestones/${id}/approve`, body)).toMatchObject({ status: 200 });
  }
  const waiting = async (): Promise<string[]> => {
    const { rows } = await owner.database.query<{ id: string }>(
      `select event_id as id from payments.dead_letter where state = 'waiting' order by event_id`,
    );
    return rows.map(({ id }) => id);
  };
  await expect.poll(waiting, eventually).toHaveLength(count);
  return await waiting();
}

async function mend(): Promise<void> {
  await owner.database.query('alter table payments.payment drop constraint planted');
}

it("following the runbook's page on dead letters leaves a system without findings", { timeout: 240_000 }, async () => {
  const page = pageOf('DeadLetters');
  expect(page).toHaveLength(5);
  const [list, show, putBack, putAside, listAside] = page as [string, string, string, string, string];
  const [first, second] = (await plant(2)) as [string, string];
  const of = (id: string) => ({ '<id>': id, '<your email>': 'olga@example.com', '<why>': "'Paid by hand'" });

  const listed = (await type(list)).out;
  for (const id of [first, second])
    expect(listed).toMatch(new RegExp(`payments +${id} +waiting .* milestone.approved `));
  const story = (await type(show, of(first))).out;
  expect(story).toMatch(/milestone.approved, from review to payments/);
  expect(story).toMatch(/dead lettered: .*planted/);
  expect((await type('npm run doctor')).out).toMatch(
    /WRONG {2}not true that payments has no dead letter.*2 dead letters/,
  );

  // The cause is not fixed yet, so a retry fails again.
  const again = await type(putBack, of(first));
  expect(again).toMatchObject({
    code: 1,
    out: expect.stringMatching(/dead lettered:[^]+put back by olga@example.com\n.*dead lettered:/) as string,
  });
  const aside = await type(putAside, of(second));
  expect(aside).toMatchObject({
    code: 0,
    out: expect.stringMatching(/put aside by olga@example.com: Paid by hand/) as string,
  });
  expect((await type(list)).out).not.toContain(second);
  expect((await type(listAside)).out).toContain(second);
  expect(await type(putAside, of(second))).toMatchObject({
    code: 1,
    out: expect.stringMatching(/put aside since \S+ by olga@example.com: Paid by hand/) as string,
  });

  await mend();
  for (const id of [first, second]) {
    expect(await type(putBack, of(id))).toMatchObject({
      code: 0,
      out: expect.stringMatching(/ applied\n$/) as string,
    });
  }
  expect((await type(list)).out).toBe('There is none.\n');
  expect(await type('npm run reconcile -- --wait 60')).toMatchObject({ code: 0 });
  expect((await type('npm run doctor')).code).toBe(0);
  const { rows } = await owner.database.query('select status, count(*)::int from payments.payment group by status');
  expect(rows).toEqual([{ status: 'completed', count: 2 }]);
});
