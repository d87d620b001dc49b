import type { EntityManager } from '@mikro-orm/postgresql';
import {
  Calendar,
  EVERY_MEMBER,
  field,
  type Money,
  NULLABLE,
  People,
  Reader,
  type ServiceParts,
  type SubgraphContext,
  Teams,
  TERMS_READERS,
} from '@payroll/service';
import { ObjectType, Query, Resolver } from 'type-graphql';
import { fundingReference } from '../domain/ledger.js';
import { readUpcoming } from '../queries/money.js';

@Teams(...TERMS_READERS)
@People(...EVERY_MEMBER)
@ObjectType({ description: 'What is due in one week in one currency.' })
class UpcomingWeek {
  @field.day('Its Monday. What is overdue counts in this week; null: later than thirteen weeks from now.', NULLABLE)
  week!: string | null;
  @field.money('The net of payments that are pending, and of those that failed for want of funds.') amount!: Money;
  @field.int('How many they are.') payments!: number;
}

@Teams(...TERMS_READERS)
@People(...EVERY_MEMBER)
@ObjectType({ description: 'A currency in which more falls due than the workspace can spend.' })
class Shortfall {
  @field.day('The first day on which the money does not suffice.') day!: string;
  @field.money('What is missing on that day.') missing!: Money;
  @field.money('What is missing for all that is due within thirteen weeks.') missingInAll!: Money;
}

@Teams(...TERMS_READERS)
@People(...EVERY_MEMBER)
@ObjectType({ description: 'What a workspace will have to pay, and whether its money suffices.' })
class Upcoming {
  @field.of(() => [UpcomingWeek], 'By week, then by currency.') weeks!: UpcomingWeek[];
  @field.of(() => [Shortfall], 'At most one per currency.') shortfalls!: Shortfall[];
}

@Resolver()
export class UpcomingResolver {
  private readonly em: EntityManager;
  private readonly calendar: Calendar;

  constructor(parts: Pick<ServiceParts, 'em' | 'deployment'>) {
    this.em = parts.em;
    this.calendar = new Calendar(parts);
  }

  @Teams(...TERMS_READERS)
  @People(...EVERY_MEMBER)
  @Query(() => Upcoming, { description: 'What is due by week and currency, and what is missing for it.' })
  upcoming(@Reader() { origin: { actor } }: SubgraphContext): Promise<Upcoming> {
    return readUpcoming(this.em, this.calendar, actor.workspaceId);
  }

  @Teams(...TERMS_READERS)
  @People(...EVERY_MEMBER)
  @Query(() => String, { description: 'How the workspace names a transfer that funds it (ISO 11649).' })
  fundingReference(@Reader() { origin: { actor } }: SubgraphContext): string {
    return fundingReference(actor.workspaceId);
  }
}
