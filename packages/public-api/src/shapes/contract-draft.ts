import {
  BENEFIT_FREQUENCIES,
  CONTRACT_DRAFT,
  FREQUENCIES,
  MAX_ROWS,
  type DraftField,
  type DraftFields,
  type DraftOf,
  type ObjectField,
} from '@payroll/kernel';
import { Type, type Static, type TObject, type TOptional, type TSchema, type TUnsafe } from 'typebox';
import {
  BODY_LIMIT_BYTES,
  strictObject,
  count,
  Day,
  exactNumber,
  Id,
  withDescription,
  nullable,
  nullableText,
  oneOf,
  text,
} from './scalars.js';

/** Body of POST /contracts (public-api.md §4), made of the draft's fields: the service checks by the same. */
export const ContractDraft = objectOf(CONTRACT_DRAFT);
export type ContractDraft = Static<typeof ContractDraft>;

const { fields } = CONTRACT_DRAFT;
export const Compensation = objectOf(fields.compensation);
export const InvoicingSettings = objectOf(fields.invoicingSettings);
export const Benefits = objectOf(fields.benefits);
export const DraftMilestone = objectOf(fields.milestones.item);
export const DraftCreatorTerms = objectOf(fields.creatorTerms);
export const DraftDeliverable = objectOf(fields.creatorDeliverables.item);
export const Frequency = oneOf(FREQUENCIES, { description: 'How often.' });
export const BenefitFrequency = oneOf(BENEFIT_FREQUENCIES, { description: 'How often.' });

const { title, professionalEmail, description, employmentType, contractType } = ContractDraft.properties;
const { countryOfEmployment, startDate, endDate, externalReference } = ContractDraft.properties;

/** Worker, role and dates: the input of the MCP tool (public-api.md §4). */
export const draftBasics = {
  title,
  professionalEmail,
  description,
  employmentType,
  contractType,
  countryOfEmployment,
  startDate,
  endDate,
  externalReference,
};

/** An object as it is sent: amounts are JSON numbers, and null is a value only where the field says so. */
type SentObject<Fields extends DraftFields> = TObject<{
  [Name in keyof Fields]: Fields[Name] extends { required: true }
    ? TUnsafe<Sent<Fields, Name>>
    : TOptional<TUnsafe<Sent<Fields, Name>>>;
}>;

type Sent<Fields extends DraftFields, Name> = Required<DraftOf<Fields, never>>[Name & keyof DraftOf<Fields, never>];

function objectOf<Fields extends DraftFields>(object: ObjectField & { fields: Fields }): SentObject<Fields> {
  const properties: Record<string, TSchema> = {};
  for (const [name, field] of Object.entries<DraftField>(object.fields)) {
    const shape = shapeOf(field);
    properties[name] = field.required ? shape : Type.Optional(shape);
  }
  return strictObject(object.description, properties) as TObject as SentObject<Fields>;
}

function shapeOf(field: DraftField): TSchema {
  const { description } = field;
  switch (field.kind) {
    case 'text':
      return textOf(field);
    case 'email':
      return text({ format: 'email', maxLength: 254, description });
    case 'day':
      return field.nullable ? nullable(Day, { description }) : withDescription(Day, description);
    case 'word':
      return oneOf(field.words, { description });
    case 'count':
      return count(field.minimum, { ...defaultOf(field), description });
    case 'flag':
      return Type.Boolean({ default: field.default, description });
    case 'currency':
      return Type.String({ pattern: '^[A-Z]{3}$', minLength: 3, maxLength: 3, default: field.default, description });
    case 'amount':
      return exactNumber({ ...field.bound, description });
    case 'percentage':
      return exactNumber({ minimum: 0, maximum: 100, description });
    case 'texts':
      return Type.Array(text(), { maxItems: MAX_ROWS, description });
    case 'ids':
      return Type.Array(Id, { maxItems: MAX_ROWS, description });
    case 'object':
      return objectOf(field);
    case 'list':
      return Type.Array(objectOf(field.item), { maxItems: MAX_ROWS, description });
  }
}

function textOf({ minLength, maxLength, nullable: isNullable, description }: DraftField & { kind: 'text' }): TSchema {
  const least = minLength > 0 ? { minLength } : {};
  const bounds = { ...least, maxLength: Math.min(maxLength, BODY_LIMIT_BYTES), description };
  return isNullable ? nullableText(bounds) : text(bounds);
}

function defaultOf({ default: value }: { default?: number }): { default?: number } {
  return value === undefined ? {} : { default: value };
}
