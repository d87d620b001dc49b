import { CONTRACT_TYPES, type ContractType } from '@payroll/kernel';
import {
  ChoiceGroup,
  ConfirmButtons,
  Field,
  Form,
  OperationId,
  Select,
  textOf,
  type FieldMessages,
} from '@payroll/pages';
import { graphql, ONCE, SENT } from '../../../operations.js';
import { formPage, type RouteTable } from '../../../routes.js';
import { EDITORS, idIn, operationIn, requireRole } from '../../../workspace-context.js';
import { CONTRACT_TYPES as WORDS, COUNTRIES } from '../../../words.js';
import { contractWith, crumbOf } from '../actions/operations.js';
import { PAID_BY } from './table.js';

const createDraft = graphql(`
  mutation createContractDraft(
    $title: String!, $contractType: ContractType, $countryOfEmployment: String, $compensation: CompensationInput, ${ONCE}
  ) {
    draft: createContractDraft(
      input: {
        title: $title, contractType: $contractType, countryOfEmployment: $countryOfEmployment, compensation: $compensation
      }
      ${SENT}
    ) { id }
  }`);

const WORDING: FieldMessages = {
  'title too_short': 'Enter a title',
  'title too_long': 'The title must be 200 characters or fewer',
  'title invalid_characters': 'The title contains characters that are not allowed',
  countryOfEmployment: 'Choose the country that the employee works in',
};

const emptyDraftPages = formPage('/workspaces/:workspaceId/contracts/new', {
  wording: WORDING,
  load: async (ctx) => {
    const { path, mutate } = await requireRole(ctx, EDITORS);
    const country = textOf(ctx, 'countryOfEmployment').trim();
    // The graph refuses any other type.
    const contractType = (textOf(ctx, 'contractType') || 'contractor_fixed') as ContractType;
    return { path, mutate, title: textOf(ctx, 'title'), contractType, country };
  },
  view: ({ path, title, contractType, country }) => ({
    title: 'New contract',
    body: (
      <Form>
        <OperationId />
        <Field name="title" label="Title" hint="Such as the role or the project: Field research." value={title} />
        <ChoiceGroup
          name="contractType"
          legend="Kind of contract"
          type="radio"
          choices={CONTRACT_TYPES.map((value) => ({ value, label: WORDS[value], hint: EXPLAINED[value] }))}
          chosen={[contractType]}
        />
        <div class="for-employment">
          <Select
            name="countryOfEmployment"
            label="Country of employment"
            options={{ '': 'Choose a country', ...COUNTRIES }}
            value={country}
          />
        </div>
        <ConfirmButtons label="Create draft" back={path} keep="Back to the contracts" />
      </Form>
    ),
  }),
  submit: async ({ path, mutate, title, contractType, country }, ctx) => {
    const type = PAID_BY[contractType];
    const given = {
      title: title.trim(),
      contractType,
      countryOfEmployment: (contractType === EMPLOYMENT && country) || null,
      compensation: type === undefined ? null : { type },
    };
    const { draft } = await mutate(createDraft, given, operationIn(ctx));
    return { to: `${path}/${draft.id}/edit`, notice: 'The draft is created. Fill in what is missing.' };
  },
});

const EMPLOYMENT = 'employment_at_will';

const EXPLAINED: Readonly<Record<(typeof CONTRACT_TYPES)[number], string>> = {
  employment_at_will: 'Somebody you employ for a salary, such as an engineer on your staff.',
  contractor_fixed: 'At a fixed rate or a retainer, such as a designer who works for you every week.',
  contractor_milestone: 'An amount for each result, such as 2,000 EUR for a finished logo.',
  contractor_payg: 'By what is worked, such as 80 EUR for each hour on a timesheet.',
  contractor_creator: 'An amount for each piece of content, such as a video for a campaign.',
};

const copyContract = graphql(
  `mutation copyContract($id: ID!, ${ONCE}) { draft: copyContract(id: $id, ${SENT}) { id } }`,
);

/** For a contract that can no longer be corrected, although its worker wants changes, and for the next one with a worker. */
const copyPages = formPage('/workspaces/:workspaceId/contracts/:id/copy', {
  load: async (ctx) => {
    const visited = await requireRole(ctx, EDITORS);
    return { ...visited, contract: await contractWith(visited, idIn(ctx)) };
  },
  view: ({ path, contract }) => ({
    title: 'Draft a copy',
    lead: contract.title,
    crumbs: [crumbOf(path, contract)],
    body: (
      <>
        <p>
          A new draft has the same content, terms and worker. The reference stays with this contract, which does not
          change: if the copy takes its place, cancel it.
        </p>
        <Form>
          <OperationId />
          <ConfirmButtons label="Draft a copy" back={`${path}/${contract.id}`} keep="Leave it as it is" />
        </Form>
      </>
    ),
  }),
  submit: async ({ mutate, path, contract }, ctx) => {
    const { draft } = await mutate(copyContract, { id: contract.id }, operationIn(ctx));
    return { to: `${path}/${draft.id}/edit`, notice: 'The copy is a draft. Change what is to be different.' };
  },
});

export const newDraftPages: RouteTable = { ...emptyDraftPages, ...copyPages };
