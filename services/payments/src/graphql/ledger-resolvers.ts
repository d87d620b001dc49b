import 'reflect-metadata';
import type { EntityManager } from '@mikro-orm/postgresql';
import { requireScope } from '@payroll/kernel';
import type { CommandRunner, Page } from '@payroll/store';
import { Decimal, OPERATION_ID, type SubgraphContext, Teams, TERMS_READERS } from '@payroll/subgraph';
import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { fundWorkspace } from '../commands/fund-workspace.js';
import type * as balances from '../domain/balances.js';
import type * as domain from '../domain/ledger.js';
import { listLedgerAccounts } from '../queries/list-ledger-accounts.js';
import { listLedgerEntries } from '../queries/list-ledger-entries.js';
import { readBalances } from '../queries/read-balances.js';
import { Balances, LedgerAccount, LedgerEntryPage, LedgerPosting } from './ledger-types.js';
import { LedgerEntryListArguments } from './list-arguments.js';

@Resolver()
export class LedgerResolvers {
  constructor(
    private readonly em: EntityManager,
    private readonly commands: CommandRunner,
  ) {}

  @Teams(...TERMS_READERS)
  @Query(() => Balances, { description: 'Available and pending amounts of the workspace by currency.' })
  async balances(@Ctx() { origin: { actor } }: SubgraphContext): Promise<balances.Balances> {
    requireScope(actor, 'read');
    return await readBalances(this.em, actor.workspaceId);
  }

  @Teams('finance')
  @Query(() => [LedgerAccount], { description: 'Every account with its balance, reconciled to its entries.' })
  async ledgerAccounts(@Ctx() { origin: { actor } }: SubgraphContext): Promise<domain.LedgerAccount[]> {
    requireScope(actor, 'read');
    return await listLedgerAccounts(this.em, actor.workspaceId);
  }

  @Teams('finance')
  @Query(() => LedgerEntryPage, { description: 'Ledger entries, newest first.' })
  async ledgerEntries(
    @Args(() => LedgerEntryListArguments) filters: LedgerEntryListArguments,
    @Ctx() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<domain.LedgerEntry>> {
    requireScope(actor, 'read');
    return await listLedgerEntries(this.em, actor.workspaceId, filters);
  }

  @Teams('service', 'finance')
  @Mutation(() => LedgerPosting, { description: 'Books money that arrived for the workspace: it can be spent.' })
  fundWorkspace(
    @Arg('amount', () => Decimal, { description: 'Above zero, in whole smallest units of the currency.' })
    amount: string,
    @Arg('currency', () => String, { description: 'ISO 4217, or USDC.' }) currency: string,
    @Arg('reference', () => String, { description: 'How its sender named the transfer; at most 140 characters.' })
    reference: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.LedgerPosting> {
    return this.commands.run(fundWorkspace, { amount, currency, reference }, origin, operationId);
  }
}
