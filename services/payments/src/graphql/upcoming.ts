import { ROLES } from '@payroll/kernel';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  Calendar,
  field,
  type Money,
  NULLABLE,
  VisibleTo,
  ReadCtx,
  type ServiceDependencies,
  type SubgraphContext,
  TERMS_READERS,
} from '@payroll/service';
import { ObjectType, Query, Resolver } from 'type-graphql';
import { fundingReference } from '../domain/ledger.js';
import { readUpcoming } from '../queries/money.js';

@VisibleTo({ teams: TERMS_READERS, people: ROLES })
@ObjectType({ description: 'What is due in one week in one currency.' })
class UpcomingWeek {
  @field.day('Its Monday. What is overdue counts in this week; null: later than thirteen weeks from now.', NULLABLE)
  week!: string | null;
  @field.money('The net of payments that are pending, and of those that failed for want of funds.') amount!: Money;
  @field.int('How many they are.') payments!: number;
}

@VisibleTo({ teams: TERMS_READERS, people: ROLES })
@ObjectType({ description: 'What is due on one day in one currency. What is overdue counts as due today.' })
class UpcomingDay {
  @field.day('The day.') day!: string;
  @field.money('The net of its payments.') amount!: Money;
  @field.int('How many they are.') payments!: number;
  @field.money('What today’s balance leaves once all up to this day is paid; below zero, what is missing.')
  balanceAfter!: Money;
}

@VisibleTo({ teams: TERMS_READERS, people: ROLES })
@ObjectType({ description: 'A currency in which more falls due than the workspace can spend.' })
class Shortfall {
  @field.day('The first day on which the money does not suffice.') day!: string;
  @field.money('What is missing on that day.') missing!: Money;
  @field.money('What is missing for all that is due within thirteen weeks.') missingInAll!: Money;
}

@VisibleTo({ teams: TERMS_READERS, people: ROLES })
@ObjectType({ description: 'What a workspace will have to pay, and whether its money suffices.' })
class Upcoming {
  @field.of(() => [UpcomingWeek], 'By week, then by currency.') weeks!: UpcomingWeek[];
  @field.of(() => [UpcomingDay], 'By day, then by currency, within thirteen weeks.') days!: UpcomingDay[];
  @field.of(() => [Shortfall], 'At most one per currency.') shortfalls!: Shortfall[];
}

@Resolver()
export class UpcomingResolver {
  private readonly em: EntityManager;
  private readonly calendar: Calendar;

  constructor(parts: Pick<ServiceDependencies, 'em' | 'deployment'>) {
    this.em = parts.em;
    this.calendar = new Calendar(parts);
  }

  @VisibleTo({ teams: TERMS_READERS, people: ROLES })
  @Query(() => Upcoming, { description: 'What is due by week and currency, and what is missing for it.' })
  upcoming(@ReadCtx() { origin: { actor } }: SubgraphContext): Promise<Upcoming> {
    return readUpcoming(this.em, this.calendar, actor.workspaceId);
  }

  @VisibleTo({ teams: TERMS_READERS, people: ROLES })
  @Query(() => String, { description: 'How the workspace names a transfer that funds it (ISO 11649).' })
  fundingReference(@ReadCtx() { origin: { actor } }: SubgraphContext): string {
    return fundingReference(actor.workspaceId);
  }
}
