import { notFound } from '@payroll/kernel';
import { type Page, sectionPath } from '@payroll/pages';
import type { VNode } from 'preact';
import type { ConsoleExchange } from '../../exchange.js';
import { idIn, visit } from '../../visit.js';
import type { ResultOf, VariablesOf, Operation } from '../../operations.js';
import { readMilestones, readTimesheets } from './operations.js';
import { MilestoneTable, TimesheetTable, type WorkProps } from './work.js';

/** A contract's page shows its newest work; these pages list all of it. */
export const allMilestones = pageOfAll('Milestones', readMilestones, MilestoneTable);
export const allTimesheets = pageOfAll('Timesheets', readTimesheets, TimesheetTable);

type WorkOf<Row> = Operation<
  Omit<ResultOf<typeof readTimesheets>, 'work'> & { work: { nodes: Row[]; nextCursor: string | null } },
  VariablesOf<typeof readTimesheets>
>;

function pageOfAll<Row>(title: string, operation: WorkOf<Row>, WorkTable: (props: WorkProps<Row>) => VNode) {
  return async (at: ConsoleExchange): Promise<Page> => {
    const { ask, path, workspaceId } = await visit(at);
    const { contract, work } = await ask(operation, { id: idIn(at), cursor: at.query('cursor') ?? null });
    if (contract === null) throw notFound('The contract');
    const body = (
      <>
        <WorkTable rows={work.nodes} cursor={work.nextCursor} path={sectionPath(workspaceId, 'review')} />
        <p class="actions">
          <a href={`${path}/${contract.id}`}>Back to the contract</a>
        </p>
      </>
    );
    return { title, lead: contract.title, body };
  };
}
