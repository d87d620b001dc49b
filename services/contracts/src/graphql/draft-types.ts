import {
  ROLES,
  CONTRACT_DRAFT,
  type ContractDraft,
  type DraftField,
  type DraftFields,
  type ObjectField,
} from '@payroll/kernel';
import { CalendarDate, Decimal, field, type Money, NULLABLE, VisibleTo, TERMS_READERS } from '@payroll/service';
import { ID, InputType, Int, ObjectType } from 'type-graphql';
import { enumOf } from './enums.js';

// The types, bounds and defaults of a draft's fields are defined once, in the kernel's table; these classes are built
// from it.

const { fields } = CONTRACT_DRAFT;
const { creatorTerms, milestones, creatorDeliverables } = fields;

@InputType({ description: 'A milestone agreed with the draft.' })
@FieldsOf(milestones.item.fields)
class DraftMilestoneInput {}

@InputType({ description: creatorDeliverables.item.description })
@FieldsOf(creatorDeliverables.item.fields)
class CreatorDeliverableInput {}

const classes: ReadonlyMap<ObjectField, object> = new Map<ObjectField, object>([
  [fields.compensation, sentAndShown('Compensation', fields.compensation)],
  [fields.invoicingSettings, sentAndShown('InvoicingSettings', fields.invoicingSettings)],
  [fields.benefits, sentAndShown('Benefits', fields.benefits)],
  [creatorTerms, sentAndShown('CreatorTerms', creatorTerms)],
  [milestones.item, DraftMilestoneInput],
  [creatorDeliverables.item, CreatorDeliverableInput],
]);

@InputType({ description: 'A draft, to be completed and signed in the application. Only the title is required.' })
@FieldsOf(fields)
export class ContractDraftInput {}

const STAYS = 'what is not given stays, null clears what need not be.';

@InputType({ description: `Corrects an agreed milestone: ${STAYS}` })
@FieldsOf(milestones.item.fields, 'optional')
class MilestoneCorrectionInput {
  @field.id('The id of the milestone.') id!: string;
}

@InputType({ description: `Corrects a deliverable: ${STAYS}` })
@FieldsOf(creatorDeliverables.item.fields, 'optional')
class DeliverableCorrectionInput {
  @field.id('The id of the deliverable.') id!: string;
}

/** Input types for changes of a draft's nested objects. */
const changesOf: ReadonlyMap<DraftField, object> = new Map<DraftField, object>([
  [fields.compensation, changes('Compensation', fields.compensation)],
  [fields.invoicingSettings, changes('InvoicingSettings', fields.invoicingSettings)],
  [fields.benefits, changes('Benefits', fields.benefits)],
  [creatorTerms, changes('CreatorTerms', creatorTerms)],
]);

@InputType({
  description:
    'What to fill in or correct: what is not given stays, null clears, also inside objects; lists of texts are replaced whole.',
})
@FieldsOf(without(fields, ['externalReference', 'milestones', 'creatorDeliverables']), 'optional')
export class ContractDraftChangesInput {
  @field.of(() => [MilestoneCorrectionInput], 'Of milestones agreed on before.', NULLABLE)
  correctedMilestones?: object[] | null;
  @field.of(() => [DraftMilestoneInput], 'Milestones beside those agreed on before.', NULLABLE)
  furtherMilestones?: object[] | null;
  @field.of(() => [DeliverableCorrectionInput], 'Of deliverables that there are.', NULLABLE)
  correctedDeliverables?: object[] | null;
  @field.of(() => [CreatorDeliverableInput], 'Deliverables beside those that there are.', NULLABLE)
  furtherDeliverables?: object[] | null;
  @field.of(() => [ID], 'Ids of deliverables that are no part of it any more.', NULLABLE)
  removedDeliverables?: string[] | null;
}

@VisibleTo({ teams: TERMS_READERS, people: ROLES })
@ObjectType({ description: 'A milestone as it was agreed with the draft; review has what happened to it since.' })
@FieldsOf(milestones.item.fields)
export class AgreedMilestone {
  @field.id('The id of the milestone, a UUID; review has it under the same.') id!: string;
  @field.int('Its place in paths such as milestones[0].amount, from 0.') place!: number;
}

@VisibleTo({ teams: TERMS_READERS, people: ROLES })
@ObjectType({ description: 'A deliverable as the draft has it.' })
@FieldsOf(creatorDeliverables.item.fields)
export class AgreedDeliverable {
  @field.id('The id of the deliverable, a UUID.') id!: string;
  @field.int('Its place in paths such as creatorDeliverables[0].amount, from 0.') place!: number;
}

@VisibleTo({ teams: TERMS_READERS, people: ROLES })
@ObjectType({ description: creatorDeliverables.item.description })
@FieldsOf(without(creatorDeliverables.item.fields, ['amount', 'sortOrder']))
class CreatorDeliverable {
  @field.id('Its id, a UUID.') id!: string;
  @field.money('What it pays.') amount!: Money;
  @field.int('Its place among the deliverables, from 0.') sortOrder!: number;
}

@VisibleTo({ teams: TERMS_READERS, people: ROLES })
@ObjectType({ description: 'What a creator and the business agree on.' })
export class Creator {
  @field.of(() => classes.get(creatorTerms)!, 'Null while none are agreed.', NULLABLE) terms!: object | null;
  @field.of(() => [CreatorDeliverable], 'What the creator delivers, by sortOrder, then as sent.')
  deliverables!: CreatorDeliverable[];
}

/** Fields of the draft that a contract's readers see directly or in another form. */
const SHOWN = [
  'title',
  'employmentType',
  'contractType',
  'startDate',
  'endDate',
  'creatorTerms',
  'creatorDeliverables',
  'externalReference',
  'terminationDate',
] as const satisfies (keyof ContractDraft)[];

/** The parts of a draft that readers of the contract do not see, or see in another form. */
@ObjectType()
@FieldsOf(without(fields, [...SHOWN, 'milestones', 'professionalEmail']))
export abstract class DraftDetails {
  @VisibleTo({ people: ['admin', 'member'] })
  @field.text(fields.professionalEmail.description, NULLABLE)
  professionalEmail?: string | null | undefined;
}

/** One class for input and output, which have the same fields. */
function sentAndShown(name: string, part: ObjectField): object {
  @VisibleTo({ teams: TERMS_READERS, people: ROLES })
  @ObjectType(name, { description: part.description })
  @InputType(`${name}Input`, { description: part.description })
  @FieldsOf(part.fields)
  class SentAndShown {}
  return SentAndShown;
}

function changes(name: string, part: ObjectField): object {
  @InputType(`${name}ChangesInput`, { description: `Changes it: ${STAYS}` })
  @FieldsOf(part.fields, 'optional')
  class Changes {}
  return Changes;
}

function FieldsOf(table: DraftFields, change?: 'optional'): ClassDecorator {
  return (target) => {
    for (const [name, part] of Object.entries(table)) {
      const nullable = change === 'optional' || part.required !== true;
      const type = (): object => (change === 'optional' ? changesOf.get(part) : undefined) ?? typeOf(part);
      field.of(type, described(part), { nullable })(target.prototype as object, name);
    }
  };
}

function without(table: DraftFields, names: readonly string[]): DraftFields {
  return Object.fromEntries(Object.entries(table).filter(([name]) => !names.includes(name)));
}

function typeOf(part: DraftField): object | object[] {
  switch (part.kind) {
    case 'text':
    case 'email':
    case 'currency':
      return String;
    case 'texts':
      return [String];
    case 'ids':
      return [ID];
    case 'day':
      return CalendarDate;
    case 'amount':
    case 'percentage':
      return Decimal;
    case 'count':
      return Int;
    case 'flag':
      return Boolean;
    case 'word':
      return enumOf(part.words);
    case 'object':
      return classes.get(part)!;
    case 'list':
      return [classes.get(part.item)!];
  }
}

/** GraphQL cannot express bounds or defaults of nullable fields, so descriptions state them. */
function described(part: DraftField): string {
  const byDefault = 'default' in part ? ` By default ${part.default}.` : '';
  return `${part.description}${bounds(part)}${byDefault}`;
}

function bounds(part: DraftField): string {
  switch (part.kind) {
    case 'text': {
      if (part.maxLength === Number.POSITIVE_INFINITY) return '';
      if (part.minLength === part.maxLength) return ` ${part.minLength} characters.`;
      return part.minLength === 0
        ? ` At most ${part.maxLength} characters.`
        : ` ${part.minLength}–${part.maxLength} characters.`;
    }
    case 'amount':
      return 'minimum' in part.bound ? ' Zero or more.' : ' Above zero.';
    case 'count':
      return ` ${part.minimum} or more.`;
    case 'percentage':
      return ' 0–100.';
    default:
      return '';
  }
}
