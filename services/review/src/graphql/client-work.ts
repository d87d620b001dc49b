import { MEMBERS, requireWhoMay } from '@payroll/kernel';
import {
  People,
  type Operation,
  OperationOf,
  Reader,
  type ServiceParts,
  type SubgraphContext,
  Teams,
  TERMS_READERS,
} from '@payroll/service';
import { Arg, ID, Mutation, Query, Resolver } from 'type-graphql';
import { submitTimesheetForClient } from '../commands/own-work.js';
import { agreedWork } from '../queries/agreed-work.js';
import { termsOfWork } from '../queries/terms-of-work.js';
import { EnteredWorkInput, toWorkTerms, WorkTerms } from './entered-work.js';
import { Timesheet } from './timesheet-types.js';

const CONTRACT = { description: 'The id of the contract.' };

/** Work that the client submits in the application, where the contract leaves it to them. */
@Resolver()
export class ClientWorkResolver {
  constructor(private readonly parts: Pick<ServiceParts, 'em' | 'commands' | 'bus'>) {}

  @Teams(...TERMS_READERS)
  @People('admin', 'member')
  @Query(() => WorkTerms, { nullable: true, description: 'How the client submits work under a contract.' })
  async workTerms(
    @Arg('contractId', () => ID, CONTRACT) contractId: string,
    @Reader() { origin: { actor } }: SubgraphContext,
  ): Promise<WorkTerms | null> {
    requireWhoMay(MEMBERS, actor, undefined);
    const terms = await termsOfWork(this.parts.em, actor.workspaceId, contractId);
    return terms && toWorkTerms('client', terms, await agreedWork(this.parts, actor.workspaceId, contractId));
  }

  @People('admin', 'member')
  @Mutation(() => Timesheet, { description: 'The client submits work for review, for its worker.' })
  async submitTimesheetForClient(
    @Arg('contractId', () => ID, CONTRACT) contractId: string,
    @Arg('input', () => EnteredWorkInput, { description: 'The work to submit.' }) input: EnteredWorkInput,
    @OperationOf() { origin, operationId }: Operation,
  ): Promise<Timesheet> {
    const agreed = await agreedWork(this.parts, origin.actor.workspaceId, contractId);
    const command = submitTimesheetForClient(agreed);
    return await this.parts.commands.run(command, { contractId, ...input }, origin, operationId);
  }
}
