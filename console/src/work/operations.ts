import { graphql, type FieldOf, ONCE, SENT, type VariablesOf } from '../operations.js';

export const readMyContracts = graphql(`
  query myContracts {
    myContracts {
      id
      title
      status
      startDate
      endDate
      businessSignedAt
      workerSignedAt
      openAmendment
    }
  }
`);

export type ContractRow = FieldOf<typeof readMyContracts, 'myContracts'>[number];

/** Everything that a worker sees of a contract. */
export const MY_CONTRACT = `
  id title status startDate endDate cancellationReason text digest sentAt businessSignedAt workerSignedAt
  changesAsked changesAskedAt amendments { number text digest holdsFrom isOpen workerSignedAt }`;

export const readMyContract = graphql(`
  query myContract($id: ID!) {
    myContract(id: $id) { ${MY_CONTRACT} }
  }`);

export type MyContract = FieldOf<typeof readMyContract, 'myContract'>;

const SIGNATURE = `$digest: String!, $clientAddress: String!, $browser: String!, ${ONCE}` as const;
const SIGNED = `digest: $digest, clientAddress: $clientAddress, browser: $browser, ${SENT}` as const;

export const signMyContract = graphql(
  `mutation signMyContract($id: ID!, ${SIGNATURE}) { signMyContract(id: $id, ${SIGNED}) { status } }`,
);

export const signMyAmendment = graphql(`
  mutation signMyAmendment($id: ID!, $number: Int!, ${SIGNATURE}) {
    signMyAmendment(id: $id, number: $number, ${SIGNED}) { id }
  }`);

export const askForContractChanges = graphql(`
  mutation askForContractChanges($id: ID!, $reason: String!, ${ONCE}) {
    askForContractChanges(id: $id, reason: $reason, ${SENT}) { id }
  }`);

export const WORK_TERMS = `maySubmit isHourly compensationType firstDay lastDay rate currency paymentDueDays autoPayEnabled
  timesheetApprovalRequired`;

export type WorkTerms = FieldOf<typeof readWorkOfContract, 'myWorkTerms'>;

const TIMESHEET = `id contractId status periodStart periodEnd unitsWorked entries { day units note } rate { amount currency }
  total { amount currency } paymentScheduledDate rejectionReason paymentStatus submittedAt submittedBy version`;

const MILESTONE = 'id contractId title description status amount { amount currency } dueDate note rejectionReason';

export const readWorkOfContract = graphql(`
  query workOfMyContract($id: ID!, $after: ID) {
    myWorkTerms(contractId: $id) { ${WORK_TERMS} }
    myTimesheets(contractId: $id, after: $after) { ${TIMESHEET} }
    myMilestones(contractId: $id) { ${MILESTONE} }
  }`);

export const readDrafts = graphql('query myTimesheetDrafts($id: ID!) { drafts: myTimesheetDrafts(contractId: $id) }');

export const readWorkTerms = graphql(`query myWorkTerms($id: ID!) { myWorkTerms(contractId: $id) { ${WORK_TERMS} } }`);

export const readTimesheetDraft = graphql(`
  query myTimesheetDraft($id: ID!, $firstDay: String!) {
    myTimesheetDraft(contractId: $id, firstDay: $firstDay) {
      fields
      version
    }
  }
`);

export const readMyTimesheet = graphql(`query myTimesheet($id: ID!) { myTimesheet(id: $id) { ${TIMESHEET} } }`);

export type MyTimesheet = FieldOf<typeof readMyTimesheet, 'myTimesheet'>;

export const readMyMilestone = graphql(`query myMilestone($id: ID!) { myMilestone(id: $id) { ${MILESTONE} } }`);

export type MyMilestone = FieldOf<typeof readMyMilestone, 'myMilestone'>;

export const saveTimesheetDraft = graphql(`
  mutation saveMyTimesheetDraft($id: ID!, $firstDay: String!, $fields: String!, $expectedVersion: String, ${ONCE}) {
    saveMyTimesheetDraft(
      contractId: $id, firstDay: $firstDay, fields: $fields, expectedVersion: $expectedVersion, ${SENT}
    )
  }`);

export const submitMyTimesheet = graphql(`
  mutation submitMyTimesheet($id: ID!, $input: EnteredWorkInput!, $draftOf: String, $draftVersion: String, ${ONCE}) {
    submitMyTimesheet(contractId: $id, input: $input, draftOf: $draftOf, draftVersion: $draftVersion, ${SENT}) { id }
  }`);

export const WORK_PREVIEW = 'unitsWorked total { amount currency } paymentScheduledDate';

export const previewMyWork = graphql(`
  query myWorkPreview($id: ID!, $input: EnteredWorkInput!) {
    preview: myWorkPreview(contractId: $id, input: $input) { ${WORK_PREVIEW} }
  }`);

export type WorkPreview = FieldOf<typeof previewMyWork, 'preview'>;

/** Work as it was entered. */
export type Entered = Required<VariablesOf<typeof submitMyTimesheet>['input']>;

export const correctMyTimesheet = graphql(`
  mutation correctMyTimesheet($id: ID!, $expectedVersion: String!, $input: EnteredWorkInput!, ${ONCE}) {
    correctMyTimesheet(id: $id, expectedVersion: $expectedVersion, input: $input, ${SENT}) { id }
  }`);

export const submitMyMilestone = graphql(`
  mutation submitMyMilestone($id: ID!, $note: String, ${ONCE}) {
    submitMyMilestone(id: $id, note: $note, ${SENT}) { id }
  }`);
