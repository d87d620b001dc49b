import 'reflect-metadata';
import { Money, Teams, TERMS_READERS, Timestamp } from '@payroll/subgraph';
import { Field, ID, ObjectType } from 'type-graphql';
import type * as domain from '../domain/ledger.js';
import { LedgerAccountEnum, PostingKindEnum } from './enums.js';

@Teams(...TERMS_READERS)
@ObjectType({ description: 'What a workspace can spend and what is about to leave it, one entry per currency.' })
export class Balances implements domain.Balances {
  @Field(() => [Money], { description: 'What can be spent.' })
  available!: Money[];

  @Field(() => [Money], {
    description: 'The net of payments pending or processing. Of the latter it has left `available` already.',
  })
  pending!: Money[];

  @Field(() => Timestamp, { description: 'The moment both were read.' })
  asOf!: string;
}

@Teams('finance')
@ObjectType({ description: 'One line of a posting, which is never changed and whose lines add up to zero.' })
export class LedgerEntry implements domain.LedgerEntry {
  @Field(() => ID, { description: 'Its id, a UUID.' })
  id!: string;

  @Field(() => ID, { description: 'The posting; all of its entries have the same.' })
  postingId!: string;

  @Field(() => PostingKindEnum, { description: 'Why money moved.' })
  kind!: domain.PostingKind;

  @Field(() => ID, { description: 'The payment it moved for; null for a funding.', nullable: true })
  paymentId!: string | null;

  @Field(() => LedgerAccountEnum, { description: 'The account that got or gave it.' })
  account!: domain.LedgerAccountName;

  @Field(() => Money, { description: 'Signed: what the account got, or gave.' })
  amount!: Money;

  @Field(() => Timestamp, { description: 'When it was posted.' })
  createdAt!: string;
}

@Teams('finance')
@ObjectType({ description: 'A page of ledger entries.' })
export class LedgerEntryPage {
  @Field(() => [LedgerEntry], { description: 'What is on this page.' })
  nodes!: LedgerEntry[];

  @Field(() => Boolean, { description: 'Whether another page follows.' })
  hasMore!: boolean;

  @Field(() => String, {
    description: 'Send it as cursor, with the same filters, to get the next page; null on the last.',
    nullable: true,
  })
  nextCursor!: string | null;
}

@Teams('finance')
@ObjectType({ description: 'An account of the workspace, one of each name per currency.' })
export class LedgerAccount implements domain.LedgerAccount {
  @Field(() => LedgerAccountEnum, { description: 'What the account is for.' })
  account!: domain.LedgerAccountName;

  @Field(() => Money, { description: 'Kept with every posting.' })
  balance!: Money;

  @Field(() => Money, { description: 'Reckoned anew from the entries: equal to the balance, or something is broken.' })
  entriesTotal!: Money;
}
