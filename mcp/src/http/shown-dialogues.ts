import { escaped } from '@payroll/process';
import type { ContractDetail, Milestone, Timesheet } from '@payroll/public-api';
import type { Caller } from '../caller.js';
import { draftDialogue, milestoneDialogue, timesheetDialogue, type Action } from '../confirmation/dialogue.js';
import { writeTools } from '../tools/write-tools.js';

// An example of what is asked before each change, made by what makes the real ones.

const caller = { workspaceName: 'Northwind Studio' } as Caller;
const contract = { title: 'Backend development', worker: { id: null, name: 'Amira Haddad' } } as ContractDetail;
const eur = (amount: string) => ({ amount, currency: 'EUR' });
const timesheet = {
  ...{ periodStart: '2026-10-01', periodEnd: '2026-10-31', unitsWorked: '152', rate: eur('85.00') },
  ...{ total: eur('12920.00'), paymentScheduledDate: '2026-11-14', autoPayEnabled: true },
} as Timesheet;
const milestone = { title: 'Storyboard', amount: eur('1800.00'), dueDate: '2026-11-06' } as Milestone;
const draft = { title: 'Data engineer', employmentType: 'contractor', contractType: 'contractor_payg' } as const;

/** The one of each tool that writes: HTML. */
export function shownDialogues(applicationUrl: string): string {
  const reviewed = (action: Action, reason: string, what: string) => ({
    ...{ action, reason, caller, contract, today: '2026-11-04' as const },
    page: new URL(`/workspaces/…/review/${what}/…`, applicationUrl).href.replaceAll('%E2%80%A6', '…'),
  });
  const of: Readonly<Record<string, string>> = {
    create_contract_draft: draftDialogue(caller, { ...draft, countryOfEmployment: 'PT', startDate: '2027-02-01' }),
    approve_timesheet: timesheetDialogue(reviewed('approve', '', 'timesheet'), timesheet),
    reject_timesheet: timesheetDialogue(reviewed('reject', 'The 26th was a holiday.', 'timesheet'), timesheet),
    approve_milestone: milestoneDialogue(reviewed('approve', '', 'milestone'), milestone),
    reject_milestone: milestoneDialogue(reviewed('reject', 'Frames 9 to 12 are missing.', 'milestone'), milestone),
  };
  return writeTools
    .map(
      ({ name, title }) =>
        `<details><summary>${escaped(title)} <code>${name}</code></summary><p class="asked">${escaped(of[name] ?? '')}</p></details>`,
    )
    .join('\n');
}
