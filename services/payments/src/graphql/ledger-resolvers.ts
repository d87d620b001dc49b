import 'reflect-metadata';
import type { EntityManager } from '@mikro-orm/postgresql';
import { requireScope } from '@payroll/kernel';
import type { Page } from '@payroll/store';
import { type SubgraphContext, Teams, TERMS_READERS } from '@payroll/subgraph';
import { Args, Ctx, Query, Resolver } from 'type-graphql';
import type * as domain from '../domain/ledger.js';
import { listLedgerAccounts } from '../queries/list-ledger-accounts.js';
import { listLedgerEntries } from '../queries/list-ledger-entries.js';
import { readBalances } from '../queries/read-balances.js';
import { Balances, LedgerAccount, LedgerEntryPage } from './ledger-types.js';
import { LedgerEntryListArguments } from './list-arguments.js';

@Resolver()
export class LedgerResolvers {
  constructor(private readonly em: EntityManager) {}

  @Teams(...TERMS_READERS)
  @Query(() => Balances, { description: 'Available and pending amounts of the workspace by currency.' })
  async balances(@Ctx() { origin: { actor } }: SubgraphContext): Promise<domain.Balances> {
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
}
