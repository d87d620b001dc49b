// A program whose compilation proves the SDK's types: they accept every example of the contract document and reject
// wrong uses.

type Json = Record<string, unknown>;

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
export function examplesOf(document: Json): string[] {
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

export const WRONG_USES = [
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

export const programOf = (document: Json): string => `
import { Payroll, type Balances, type Business, type ContractDetail, type ContractDraft, type ContractSummary,
  type Milestone, type Page, type Payment, type Timesheet } from '@payroll/sdk';
declare const payroll: Payroll;
const writing = { operation: 'approve-2026-11-03' };
${examplesOf(document).join('\n')}
export const exact: ContractDraft = { title: 'x', compensation: { type: 'hourly', rate: '85.10' }, milestones: [{ title: 'y', amount: '1' }] };
${WRONG_USES.map((use) => `// @ts-expect-error\n${use}`).join('\n')}
void payroll.approveTimesheet({ id: 'x', version: 'y' }, writing);
`;
