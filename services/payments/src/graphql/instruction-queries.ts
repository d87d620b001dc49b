import 'reflect-metadata';
import type { EntityManager } from '@mikro-orm/postgresql';
import { requireInternal, requireScope, type Actor } from '@payroll/kernel';
import type { Page } from '@payroll/store';
import { type Fetch, loadById, type SubgraphContext, Teams } from '@payroll/subgraph';
import { Arg, Args, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import type * as domain from '../domain/instruction.js';
import type * as payee from '../domain/payee.js';
import type * as payment from '../domain/payment.js';
import { listInstructions } from '../queries/list-instructions.js';
import { Instruction, InstructionPage } from './instruction-types.js';
import { InstructionListArguments } from './list-arguments.js';
import { Payee } from './payout-types.js';
import { Payment } from './types.js';

export interface InstructionReads {
  em: EntityManager;
  byId: Fetch<domain.Instruction>;
  payments: Fetch<payment.Payment>;
  payees: Fetch<payee.Payee>;
}

@Resolver(() => Instruction)
export class InstructionQueries {
  constructor(private readonly reads: InstructionReads) {}

  @Teams('finance')
  @Query(() => Instruction, {
    nullable: true,
    description: 'One instruction; null when there is none in this workspace.',
  })
  async instruction(
    @Arg('id', () => ID, { description: 'The id of the instruction.' }) id: string,
    @Ctx() context: SubgraphContext,
  ): Promise<domain.Instruction | null> {
    requireReader(context.origin.actor);
    return await loadById(context, this.reads.byId, id);
  }

  @Teams('finance')
  @Query(() => InstructionPage, { description: 'Instructions, newest first.' })
  async instructions(
    @Args(() => InstructionListArguments) filters: InstructionListArguments,
    @Ctx() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<domain.Instruction>> {
    requireReader(actor);
    return await listInstructions(this.reads.em, actor.workspaceId, filters);
  }

  @FieldResolver(() => Payment, { nullable: true, description: 'As it is now.' })
  async payment(
    @Root() { paymentId }: domain.Instruction,
    @Ctx() context: SubgraphContext,
  ): Promise<payment.Payment | null> {
    return paymentId === null ? null : await loadById(context, this.reads.payments, paymentId);
  }

  @FieldResolver(() => Payee, { nullable: true, description: 'As it is now.' })
  async payee(@Root() { payeeId }: domain.Instruction, @Ctx() context: SubgraphContext): Promise<payee.Payee | null> {
    return payeeId === null ? null : await loadById(context, this.reads.payees, payeeId);
  }
}

/** Of the staff: it names persons. */
function requireReader(actor: Actor): void {
  requireInternal(actor);
  requireScope(actor, 'read');
}
