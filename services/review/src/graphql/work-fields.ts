import { ROLES, TEAMS, type Team } from '@payroll/kernel';
import { enumOf, field, NULLABLE, Principal, VisibleTo } from '@payroll/service';
import { Directive, ObjectType } from 'type-graphql';
import { REVIEW_STEPS, type ReviewStepKind } from '../queries/reviews-of-work.js';

@VisibleTo({ teams: TEAMS, people: ROLES })
@Directive('@key(fields: "id")')
@ObjectType({ description: 'The contract whose work this is; owned by the contracts service.' })
export class Contract {
  @field.id('Its id, a UUID.') id!: string;
}

@VisibleTo({ teams: TEAMS, people: ROLES })
@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ description: 'The payment an approval created; owned by the payments service.' })
export class Payment {
  @field.id('Its id, a UUID.') id!: string;
}

/** The teams that may read the audit trail, where review steps come from. */
export const REVIEW_READERS: readonly Team[] = ['support', 'operations', 'finance'];

const ReviewStepKindEnum = enumOf('ReviewStepKind', REVIEW_STEPS, 'What was done to a piece of work.');

@VisibleTo({ teams: REVIEW_READERS, people: ROLES })
@ObjectType({ description: 'A step of a review, as the audit trail has it.' })
export class ReviewStep {
  @field.id('Of its entry in the audit trail, a UUID.') id!: string;
  @field.of(() => ReviewStepKindEnum, 'What was done.') step!: ReviewStepKind;
  @field.time('When.') at!: string;
  @field.text('person, api_key, connection, staff, service or system.') actorKind!: string;
  @field.of(() => Principal, 'Null for staff, the application and the system.', NULLABLE) by!: Principal | null;
  @field.text('Why it was rejected.', NULLABLE) reason!: string | null;
  @field.text("The contract's rule that approved it; null where somebody did.", NULLABLE) rule!: string | null;
}
