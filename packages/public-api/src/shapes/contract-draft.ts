import { DEPARTMENTS, DISPUTE_RESOLUTION_METHODS, EMPLOYMENT_SUBTYPES, SENIORITIES } from '@payroll/kernel';
import { Type, type Static } from 'typebox';
import { ContractType, EmploymentType, MOST_DELIVERABLES } from './contract.js';
import { Benefits, Compensation, InvoicingSettings } from './draft-terms.js';
import { DraftCreatorTerms, DraftDeliverable, DraftMilestone } from './draft-work.js';
import { mostItems } from './limits.js';
import { count, Day, noted, oneOf, text } from './scalars.js';

const country = (description: string) => text({ minLength: 2, maxLength: 2, description });

/** What says who works as what, from when to when: also what the MCP tool takes (public-api.md §4). */
export const draftBasics = {
  title: text({ minLength: 1, maxLength: 200, description: 'What the contract is called.' }),
  professionalEmail: Type.Optional(
    text({ format: 'email', maxLength: 254, description: 'Where the worker is invited to the contract.' }),
  ),
  description: Type.Optional(text({ maxLength: 10_000, description: 'What the work is.' })),
  employmentType: Type.Optional(
    noted(EmploymentType, 'By default what `contractType` says; without that, `contractor`.'),
  ),
  contractType: Type.Optional(
    noted(
      ContractType,
      'Must agree with `employmentType`. By default `employment_at_will` for employees, else `contractor_fixed`.',
    ),
  ),
  countryOfEmployment: Type.Optional(country('ISO 3166-1 alpha-2. Required for employee contracts.')),
  startDate: Type.Optional(noted(Day, 'First day of the contract.')),
  endDate: Type.Optional(noted(Day, 'Last day of the contract.')),
  externalReference: Type.Optional(
    text({
      minLength: 1,
      maxLength: 128,
      description: 'Your own reference: unique within workspace and integration principal, also after deletion.',
    }),
  ),
};

const words = (description: string) => Type.Optional(Type.Array(text(), { maxItems: mostItems('""'), description }));
const MOST_MILESTONES = mostItems('{"title":"t","amount":1}');

/** Body of POST /contracts. Only `title` is required; properties that are not listed are refused. */
export const ContractDraft = Type.Object(
  {
    ...draftBasics,
    terminationDate: Type.Optional(noted(Day, 'Day on which the contract is ended, if that is known.')),
    noticePeriodDays: Type.Optional(count(0, { description: 'Days of notice on either side.' })),
    department: Type.Optional(oneOf(DEPARTMENTS, { description: 'Where in the business the work is done.' })),
    seniority: Type.Optional(oneOf(SENIORITIES, { description: 'How senior the role is.' })),
    employmentSubtype: Type.Optional(oneOf(EMPLOYMENT_SUBTYPES, { description: 'How much of a full week is worked.' })),
    specialClauses: Type.Optional(text({ maxLength: 20_000, description: 'What else is agreed.' })),
    serviceTypes: words('What services are rendered.'),
    skills: words('What skills are needed.'),
    tools: words('What tools are used.'),
    disputeResolutionMethod: Type.Optional(
      oneOf(DISPUTE_RESOLUTION_METHODS, { description: 'Where disputes are settled.' }),
    ),
    governingCountry: Type.Optional(country('ISO 3166-1 alpha-2: whose law holds.')),
    governingStateProvince: Type.Optional(
      text({ maxLength: 100, description: 'The state or province whose law holds.' }),
    ),
    workSchedule: Type.Optional(text({ description: 'When the work is done.' })),
    compensation: Type.Optional(Compensation),
    invoicingSettings: Type.Optional(InvoicingSettings),
    benefits: Type.Optional(Benefits),
    milestones: Type.Optional(
      Type.Array(DraftMilestone, { maxItems: MOST_MILESTONES, description: 'Work to be paid piece by piece.' }),
    ),
    creatorTerms: Type.Optional(DraftCreatorTerms),
    creatorDeliverables: Type.Optional(
      Type.Array(DraftDeliverable, { maxItems: MOST_DELIVERABLES, description: 'What a creator delivers.' }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'A contract to be completed, reviewed and signed in the application. Only `title` is required; properties that are not listed here are refused, at every depth.',
  },
);
export type ContractDraft = Static<typeof ContractDraft>;
