import { ROLES } from '@payroll/kernel';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  type BatchFetch,
  field,
  Money,
  NULLABLE,
  PageArguments,
  pageType,
  VisibleTo,
  ReadCtx,
  type SubgraphContext,
  TERMS_READERS,
} from '@payroll/service';
import type { Page } from '@payroll/store';
import { Args, ArgsType, ObjectType, Query, Resolver } from 'type-graphql';
import type { LedgerAccountName, PostingKind } from '../domain/ledger.js';
import { balancesOf, listLedgerAccounts, listLedgerEntries } from '../queries/money.js';
import { LedgerAccountEnum, PostingKindEnum } from './enums.js';

@VisibleTo({ teams: TERMS_READERS, people: ROLES })
@ObjectType({ description: 'What a workspace can spend and what is about to leave it, one entry per currency.' })
class Balances {
  @field.of(() => [Money], 'What can be spent.') available!: Money[];
  @field.of(() => [Money], 'The net of payments pending or processing. Of the latter it has left `available` already.')
  pending!: Money[];

  @field.of(() => [Money], 'Still owed to workers whom the provider paid less than their net.') owedToWorkers!: Money[];
  @field.of(() => [Money], 'What workers got beyond their net, or for no work that is here.') owedByWorkers!: Money[];

  @field.time('The moment all were read.') asOf!: string;
}

@VisibleTo({ teams: ['finance'] })
@ObjectType({ description: 'One line of a posting, which is never changed and whose lines add up to zero.' })
class LedgerEntry {
  @field.id('Its id, a UUID.') id!: string;
  @field.id('The posting; all of its entries have the same.') postingId!: string;
  @field.of(() => PostingKindEnum, 'Why money moved.') kind!: PostingKind;
  @field.id('The payment it moved for; null for a funding.', NULLABLE) paymentId!: string | null;
  @field.of(() => LedgerAccountEnum, 'The account that got or gave it.') account!: LedgerAccountName;
  @field.money('Signed: what the account got, or gave.') amount!: Money;
  @field.time('When it was posted.') createdAt!: string;
}

const LedgerEntryPage = pageType(LedgerEntry, 'ledger entries', ['finance']);

@VisibleTo({ teams: ['finance'] })
@ObjectType({ description: 'An account of the workspace, one of each name per currency.' })
class LedgerAccount {
  @field.of(() => LedgerAccountEnum, 'What the account is for.') account!: LedgerAccountName;
  @field.money('Kept with every posting.') balance!: Money;
  @field.money('Computed from the entries: equal to the balance, or something is broken.') entriesTotal!: Money;
}

@ArgsType()
class LedgerEntryListArguments extends PageArguments {
  @field.of(() => LedgerAccountEnum, 'Only entries of this account.', NULLABLE) account?: LedgerAccountName | null;
  @field.text('ISO 4217, or USDC.', NULLABLE) currency?: string | null;
  @field.id('What moved for this payment.', NULLABLE) paymentId?: string | null;
}

@Resolver()
export class LedgerResolver {
  private readonly balancesOf: BatchFetch<Balances>;

  constructor(private readonly em: EntityManager) {
    this.balancesOf = balancesOf(em);
  }

  @VisibleTo({ teams: TERMS_READERS, people: ROLES })
  @Query(() => Balances, { description: 'Available and pending amounts of the workspace by currency.' })
  async balances(@ReadCtx() { origin, loaders }: SubgraphContext): Promise<Balances> {
    const { workspaceId } = origin.actor;
    return (await loaders.load(this.balancesOf, { workspaceId, id: workspaceId }))!;
  }

  @VisibleTo({ teams: ['finance'] })
  @Query(() => [LedgerAccount], { description: 'Every account with its balance, reconciled to its entries.' })
  ledgerAccounts(@ReadCtx() { origin: { actor } }: SubgraphContext): Promise<LedgerAccount[]> {
    return listLedgerAccounts(this.em, actor.workspaceId);
  }

  @VisibleTo({ teams: ['finance'] })
  @Query(() => LedgerEntryPage, { description: 'Ledger entries, newest first.' })
  ledgerEntries(
    @Args(() => LedgerEntryListArguments) filters: LedgerEntryListArguments,
    @ReadCtx() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<LedgerEntry>> {
    return listLedgerEntries(this.em, actor.workspaceId, filters);
  }
}
