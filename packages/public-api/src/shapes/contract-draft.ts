import {
  CONTRACT_TYPES,
  DEPARTMENTS,
  DISPUTE_RESOLUTION_METHODS,
  EMPLOYMENT_SUBTYPES,
  EMPLOYMENT_TYPES,
  SENIORITIES,
} from '@payroll/kernel';
import { Type, type Static } from 'typebox';
import { Benefits, Compensation, InvoicingSettings } from './draft-terms.js';
import { DraftCreatorTerms, DraftDeliverable, DraftMilestone } from './draft-work.js';
import { count, Day, oneOf, text } from './scalars.js';

/** What says who works as what, from when to when: also what the MCP tool takes (public-api.md §4). */
export const draftBasics = {
  title: text({ minLength: 1, maxLength: 200 }),
  professionalEmail: Type.Optional(text({ format: 'email', maxLength: 254 })),
  description: Type.Optional(text({ maxLength: 10_000 })),
  employmentType: Type.Optional(oneOf(EMPLOYMENT_TYPES)),
  contractType: Type.Optional(oneOf(CONTRACT_TYPES, { description: 'Must agree with employmentType.' })),
  countryOfEmployment: Type.Optional(
    text({ minLength: 2, maxLength: 2, description: 'Required for employee contracts.' }),
  ),
  startDate: Type.Optional(Day),
  endDate: Type.Optional(Day),
  externalReference: Type.Optional(
    text({ minLength: 1, maxLength: 128, description: 'Unique within workspace and integration principal.' }),
  ),
};

const words = () => Type.Optional(Type.Array(text()));

/** Body of POST /contracts. Only `title` is required; properties that are not listed are refused. */
export const ContractDraft = Type.Object(
  {
    ...draftBasics,
    terminationDate: Type.Optional(Day),
    noticePeriodDays: Type.Optional(count(0)),
    department: Type.Optional(oneOf(DEPARTMENTS)),
    seniority: Type.Optional(oneOf(SENIORITIES)),
    employmentSubtype: Type.Optional(oneOf(EMPLOYMENT_SUBTYPES)),
    specialClauses: Type.Optional(text({ maxLength: 20_000 })),
    serviceTypes: words(),
    skills: words(),
    tools: words(),
    disputeResolutionMethod: Type.Optional(oneOf(DISPUTE_RESOLUTION_METHODS)),
    governingCountry: Type.Optional(text({ minLength: 2, maxLength: 2 })),
    governingStateProvince: Type.Optional(text({ maxLength: 100 })),
    workSchedule: Type.Optional(text()),
    compensation: Type.Optional(Compensation),
    invoicingSettings: Type.Optional(InvoicingSettings),
    benefits: Type.Optional(Benefits),
    milestones: Type.Optional(Type.Array(DraftMilestone)),
    creatorTerms: Type.Optional(DraftCreatorTerms),
    creatorDeliverables: Type.Optional(Type.Array(DraftDeliverable)),
  },
  { additionalProperties: false },
);
export type ContractDraft = Static<typeof ContractDraft>;
