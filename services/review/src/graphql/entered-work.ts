import { ROLES, MEMBERS_OR_INTERNAL, authorizeCommand } from '@payroll/kernel';
import {
  field,
  NULLABLE,
  type MutationContext,
  MutationCtx,
  VisibleToPeople,
  ReadCtx,
  type ServiceDependencies,
  type SubgraphContext,
  VisibleToTeams,
  TERMS_READERS,
} from '@payroll/service';
import { Arg, ID, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { Entry, AgreedWork, EnteredWork, Side } from '../domain/own-work.js';
import { isOpenForWork } from '../domain/contract-terms.js';
import { submitTimesheetForClient } from '../commands/own-work.js';
import { agreedWork, termsOfWork } from '../queries/own-work.js';
import { Timesheet } from './timesheet-types.js';

@InputType({ description: 'The work of one day.' })
class TimesheetEntryInput implements Entry {
  @field.day('The day; each day once.') day!: string;
  @field.decimal('Hours, above zero and at most 24, with at most four decimals.') units!: string;
  @field.text('What was done; at most 500 characters.', NULLABLE) note?: string | null;
}

@InputType({ description: 'Work of a period, as a person enters it.' })
export class EnteredWorkInput implements EnteredWork {
  @field.day('The first day of the work.') periodStart!: string;
  @field.day('The last day of the work; not before the first.') periodEnd!: string;
  @field.decimal('Days or pieces, where the work is not entered by day.', NULLABLE) unitsWorked?: string | null;
  @field.of(() => [TimesheetEntryInput], 'By day, at most 31; their sum is the work.', NULLABLE)
  entries?: TimesheetEntryInput[] | null;
}

@VisibleToTeams(...TERMS_READERS)
@VisibleToPeople(...ROLES, 'worker')
@ObjectType({ description: 'How work is submitted under a contract.' })
export class WorkTerms {
  @field.boolean('Whether the side that asks submits now: the contract is open for work and leaves it to them.')
  maySubmit!: boolean;
  @field.boolean('Whether work is entered by day, in hours.') isHourly!: boolean;
  @field.day('The first day on which work can be done.', NULLABLE) firstDay!: string | null;
  @field.day('The last day on which work can be done.', NULLABLE) lastDay!: string | null;
  @field.decimal('Per unit; null where there is none.', NULLABLE) rate!: string | null;
  @field.text('ISO 4217, or USDC.') currency!: string;
  @field.int('Days from the end of the period to the payment.') paymentDueDays!: number;
}

interface Terms extends Pick<WorkTerms, 'rate' | 'currency' | 'paymentDueDays'> {
  status: string;
}

export function toWorkTerms(side: Side, { status, ...terms }: Terms, agreed: AgreedWork): WorkTerms {
  const { isHourly, firstDay, lastDay, submitter } = agreed;
  const maySubmit = isOpenForWork(status) && (submitter === 'client') === (side === 'client');
  return { ...terms, maySubmit, isHourly, firstDay, lastDay };
}

export const ContractId = Arg('contractId', () => ID, { description: 'The id of the contract.' });

/** Work that the client submits in the application, where the contract leaves it to them. */
@Resolver()
export class ClientWorkResolver {
  constructor(private readonly parts: Pick<ServiceDependencies, 'em' | 'commands' | 'bus'>) {}

  @VisibleToTeams(...TERMS_READERS)
  @VisibleToPeople('admin', 'member')
  @Query(() => WorkTerms, { nullable: true, description: 'How the client submits work under a contract.' })
  async workTerms(
    @ContractId contractId: string,
    @ReadCtx() { origin: { actor } }: SubgraphContext,
  ): Promise<WorkTerms | null> {
    authorizeCommand(MEMBERS_OR_INTERNAL, actor, undefined);
    const terms = await termsOfWork(this.parts.em, actor.workspaceId, contractId);
    return terms && toWorkTerms('client', terms, await agreedWork(this.parts, actor.workspaceId, contractId));
  }

  @VisibleToPeople('admin', 'member')
  @Mutation(() => Timesheet, { description: 'The client submits work for review, for its worker.' })
  async submitTimesheetForClient(
    @ContractId contractId: string,
    @Arg('input', () => EnteredWorkInput, { description: 'The work to submit.' }) input: EnteredWorkInput,
    @MutationCtx() { origin, operationId }: MutationContext,
  ): Promise<Timesheet> {
    const agreed = await agreedWork(this.parts, origin.actor.workspaceId, contractId);
    const command = submitTimesheetForClient(agreed);
    return await this.parts.commands.run(command, { contractId, ...input }, origin, operationId);
  }
}
