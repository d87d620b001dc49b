import { readFileSync } from 'node:fs';
import type { ContractDetail, Milestone, Timesheet } from '@payroll/public-api';
import { afterAll, expect, test } from 'vitest';
import type { Caller } from '../src/caller.js';
import { draftDialogue, milestoneDialogue, timesheetDialogue, type Action } from '../src/confirmation/dialogue.js';
import { writeTools } from '../src/tools/write-tools.js';
import { startMcpForTest } from './support/mcp.js';

// The guide for people is a page of the reference. It quotes the dialogues, which are generated here like the real
// ones.

const mcp = await startMcpForTest();
afterAll(() => mcp[Symbol.asyncDispose]());

test('a browser that opens the server is redirected to the guide', async () => {
  const { status, headers } = await fetch(`${mcp.origin}/`, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([302, 'http://127.0.0.1:4000/v1/docs/guides/connect-an-assistant']);
});

const caller = { workspaceName: 'Northwind Studio' } as Caller;
const contract = {
  ...{ title: 'Backend development', worker: { id: null, name: 'Amira Haddad' }, status: 'active', deletedAt: null },
} as ContractDetail;
const eur = (amount: string) => ({ amount, currency: 'EUR' });
const timesheet = {
  ...{ periodStart: '2026-10-01', periodEnd: '2026-10-31', unitsWorked: '152', rate: eur('85.00') },
  ...{ total: eur('12920.00'), paymentScheduledDate: '2026-11-14', autoPayEnabled: true },
} as Timesheet;
const milestone = { title: 'Storyboard', amount: eur('1800.00'), dueDate: '2026-11-06' } as Milestone;
const draft = { title: 'Data engineer', employmentType: 'contractor', contractType: 'contractor_payg' } as const;
const reviewed = (action: Action, reason: string, what: string) => ({
  ...{ action, reason, caller, contract, today: '2026-11-04' as const },
  page: `https://app.example.com/workspaces/…/review/${what}/…`,
});

const DIALOGUES: Readonly<Record<string, string>> = {
  create_contract_draft: draftDialogue(caller, { ...draft, countryOfEmployment: 'PT', startDate: '2027-02-01' }),
  approve_timesheet: timesheetDialogue(reviewed('approve', '', 'timesheet'), timesheet),
  reject_timesheet: timesheetDialogue(reviewed('reject', 'The 26th was a holiday.', 'timesheet'), timesheet),
  approve_milestone: milestoneDialogue(reviewed('approve', '', 'milestone'), milestone),
  reject_milestone: milestoneDialogue(reviewed('reject', 'Frames 9 to 12 are missing.', 'milestone'), milestone),
};

test.each(writeTools.map(({ name }) => name))('the guide quotes the dialogue of %s', (name) => {
  const guide = readFileSync(new URL('../../rest-facade/guides/connect-an-assistant.md', import.meta.url), 'utf8');
  expect(guide).toContain(`\n\`${name}\`\n\n\`\`\`text\n${DIALOGUES[name]}\n\`\`\`\n`);
});
