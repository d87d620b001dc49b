import { DomainError, notFound } from '@payroll/kernel';
import { Button, DefinitionList, Field, Form, OperationId, type PageView, textOf } from '@payroll/pages';
import type { ConsoleContext } from '../console-context.js';
import { Day } from '../pieces.js';
import { formPage } from '../routes.js';
import { operationIn, idIn, requireWorker } from '../workspace-context.js';
import { MILESTONE_STATUSES, moneyText } from '../words.js';
import { isOpenForWork } from './contracts.js';
import { readMyContracts, readMyMilestone, submitMyMilestone } from './operations.js';

const SUBMITTABLE: ReadonlySet<string> = new Set(['pending', 'rejected']);

/** By another page, whose note counts. */
const SUBMITTED_BEFORE = new DomainError(
  'INVALID_STATE',
  'Nothing was done, because the milestone was submitted already. This is how it is now.',
);

/** A milestone, and the form that submits it with a note. */
export const milestonePage = formPage('/work/:workspaceId/milestones/:id', {
  wording: { note: 'The note must be 2,000 characters or fewer' },
  load: async (ctx) => {
    const { path } = await requireWorker(ctx);
    const { myMilestone } = await ctx.run(readMyMilestone, { id: idIn(ctx) });
    if (myMilestone === null) throw notFound('The milestone');
    const { myContracts } = await ctx.run(readMyContracts, {});
    const contract = myContracts.find(({ id }) => id === myMilestone.contractId);
    // A note that was typed before the contract ended is shown again, with the reason.
    const isOpen = ctx.typed !== null || (contract !== undefined && isOpenForWork(contract));
    return { path, milestone: myMilestone, isOpen, note: ctx.typed ? textOf(ctx.typed, 'note') : '' };
  },
  view: ({ path, milestone, isOpen, note }): PageView => ({
    title: milestone.title,
    body: (
      <>
        <DefinitionList
          of={{
            Status: MILESTONE_STATUSES[milestone.status],
            'Rejected because': milestone.rejectionReason,
            Amount: moneyText(milestone.amount),
            'Agreed to be done by': milestone.dueDate && <Day of={milestone.dueDate} />,
            Description: milestone.description,
            'Your note': milestone.note,
          }}
        />
        {SUBMITTABLE.has(milestone.status) && !isOpen && <p>It can be submitted only while the contract is active.</p>}
        {SUBMITTABLE.has(milestone.status) && isOpen && (
          <Form>
            <OperationId />
            <Field
              name="note"
              type="lines"
              label="Note for the reviewer"
              hint="Optional, such as where to find the result."
              value={note}
            />
            <Button>Submit for review</Button>
          </Form>
        )}
        <p>
          <a href={`${path}/contracts/${milestone.contractId}`}>Open the contract</a>
        </p>
      </>
    ),
  }),
  submit: async ({ path, milestone, note }, ctx: ConsoleContext) => {
    try {
      await ctx.mutate(submitMyMilestone, { id: milestone.id, note: note || null }, operationIn(ctx));
    } catch (error) {
      const isOver = error instanceof DomainError && error.code === 'INVALID_STATE';
      throw isOver && !SUBMITTABLE.has(milestone.status) ? SUBMITTED_BEFORE : error;
    }
    return { to: `${path}/milestones/${milestone.id}`, notice: 'Submitted for review.' };
  },
});
