import { ROLES, MEMBERS_OR_INTERNAL, authorizeCommand, type Origin } from '@payroll/kernel';
import {
  field,
  type Money,
  NULLABLE,
  MutationCtx,
  VisibleTo,
  ReadCtx,
  type ServiceDependencies,
  type SubgraphContext,
  TERMS_READERS,
} from '@payroll/service';
import { Arg, ID, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import type { Entry, AgreedWork, EnteredWork, Side } from '../domain/own-work.js';
import { isOpenForWork } from '../domain/contract-terms.js';
import { CLIENT_ONLY, submitTimesheetForClient } from '../commands/own-work.js';
import { agreedWork, previewWork, termsOfWork } from '../queries/own-work.js';
import { Timesheet } from './timesheet-types.js';

@InputType({ description: 'The work of one day.' })
class TimesheetEntryInput implements Entry {
  @field.day('The day; each day once.') day!: string;
  @field.decimal('Hours, above zero and at most 24, with at most eight decimals.') units!: string;
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

@VisibleTo({ teams: TERMS_READERS, people: [...ROLES, 'worker'] })
@ObjectType({ description: 'How work is submitted under a contract.' })
export class WorkTerms {
  @field.boolean(
    'Whether the side that asks submits now: the contract is open for work, has a rate, and leaves it to them.',
  )
  maySubmit!: boolean;
  @field.boolean('Whether work is entered by day, in hours.') isHourly!: boolean;
  @field.text('The kind of compensation; null where it is not known.', NULLABLE) compensationType!: string | null;
  @field.day('The first day on which work can be done.', NULLABLE) firstDay!: string | null;
  @field.day('The last day on which work can be done.', NULLABLE) lastDay!: string | null;
  @field.decimal('Per unit; null where there is none.', NULLABLE) rate!: string | null;
  @field.text('ISO 4217, or USDC.') currency!: string;
  @field.int('Days from the end of the period to the payment.') paymentDueDays!: number;
  @field.boolean('Whether the payment is processed by itself on its day.') autoPayEnabled!: boolean;
  @field.boolean('Whether a person reviews the work; else it is approved as it is submitted.')
  timesheetApprovalRequired!: boolean;
}

type Terms = Pick<
  WorkTerms,
  'rate' | 'currency' | 'paymentDueDays' | 'autoPayEnabled' | 'timesheetApprovalRequired'
> & {
  status: string;
};

export function toWorkTerms(side: Side, { status, rate, ...terms }: Terms, agreed: AgreedWork): WorkTerms {
  const { isHourly, compensationType = null, firstDay, lastDay, submitter } = agreed;
  const maySubmit = isOpenForWork(status) && rate !== null && (submitter === 'client') === (side === 'client');
  return { ...terms, rate, maySubmit, isHourly, compensationType, firstDay, lastDay };
}

@VisibleTo({ people: ['admin', 'member', 'worker'] })
@ObjectType({ description: 'Work as its submission would store it now.' })
export class WorkPreview {
  @field.decimal('Hours, days or pieces, as the rate is counted.') unitsWorked!: string;
  @field.money('Rate × units, rounded half-even to the currency.') total!: Money;
  @field.day('The day on which the payment would be due once the work is approved.') paymentScheduledDate!: string;
}

export const ContractId = Arg('contractId', () => ID, { description: 'The id of the contract.' });
export const Work = Arg('input', () => EnteredWorkInput, { description: 'The work to submit.' });

/** Work that the client submits in the application, where the contract leaves it to them. */
@Resolver()
export class ClientWorkResolver {
  constructor(private readonly parts: Pick<ServiceDependencies, 'em' | 'commands' | 'bus' | 'deployment'>) {}

  @VisibleTo({ teams: TERMS_READERS, people: ['admin', 'member'] })
  @Query(() => WorkTerms, { nullable: true, description: 'How the client submits work under a contract.' })
  async workTerms(
    @ContractId contractId: string,
    @ReadCtx() { origin: { actor } }: SubgraphContext,
  ): Promise<WorkTerms | null> {
    authorizeCommand(MEMBERS_OR_INTERNAL, actor, undefined);
    const terms = await termsOfWork(this.parts.em, actor.workspaceId, contractId);
    return terms && toWorkTerms('client', terms, await agreedWork(this.parts, actor.workspaceId, contractId));
  }

  @VisibleTo({ people: ['admin', 'member'] })
  @Query(() => WorkPreview, { description: 'Work that the client would submit; refused as its submission would be.' })
  async workPreview(
    @ContractId contractId: string,
    @Work input: EnteredWorkInput,
    @ReadCtx() { origin: { actor } }: SubgraphContext,
  ): Promise<WorkPreview> {
    authorizeCommand(CLIENT_ONLY, actor, undefined);
    return await previewWork(this.parts, { side: 'client', workspaceId: actor.workspaceId, contractId }, input);
  }

  @VisibleTo({ people: ['admin', 'member'] })
  @Mutation(() => Timesheet, { description: 'The client submits work for review, for its worker.' })
  async submitTimesheetForClient(
    @ContractId contractId: string,
    @Work input: EnteredWorkInput,
    @MutationCtx() origin: Origin,
  ): Promise<Timesheet> {
    const agreed = await agreedWork(this.parts, origin.actor.workspaceId, contractId);
    const command = submitTimesheetForClient(agreed);
    return await this.parts.commands.run(command, { contractId, ...input }, origin);
  }
}
