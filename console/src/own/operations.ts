import { graphql } from '../operations.js';
import { MY_CONTRACT } from '../work/operations.js';

export const readContractsToDo = graphql(`
  query contractsToDo {
    myContracts {
      id
      title
      status
      workerSignedAt
      openAmendment
    }
  }
`);

export const readWorkToDo = graphql(`
  query workToDo($id: ID!) {
    myWorkTerms(contractId: $id) {
      maySubmit
    }
    myTimesheets(contractId: $id) {
      id
      status
      periodStart
      periodEnd
    }
    myMilestones(contractId: $id) {
      id
      status
      title
    }
  }
`);

export const readOwed = graphql(`
  query owedToMe {
    myPayee {
      verificationStatus
    }
    myPayments(isOwed: true, limit: 100) {
      nodes {
        netAmount {
          amount
          currency
        }
        obstacle
      }
      nextCursor
    }
  }
`);

const MONEY = 'amount currency';

export const readMyRecords = graphql(`
  query myRecords {
    myContracts { ${MY_CONTRACT} }
    myPayee { holder payoutMethod destinationEnding verificationStatus heldUntil stoppedAt }
  }`);

export const readMyTimesheetRecords = graphql(`
  query myTimesheetRecords($id: ID!, $after: ID) {
    myTimesheets(contractId: $id, after: $after) {
      id status periodStart periodEnd unitsWorked entries { day units note } rate { ${MONEY} } total { ${MONEY} }
      paymentScheduledDate rejectionReason paymentStatus submittedAt submittedBy
    }
  }`);

export const readMyMilestoneRecords = graphql(`
  query myMilestoneRecords($id: ID!) {
    myMilestones(contractId: $id) {
      id title description status amount { ${MONEY} } dueDate note rejectionReason
    }
  }`);

export const readMyPaymentRecords = graphql(`
  query myPaymentRecords($cursor: String) {
    myPayments(limit: 100, cursor: $cursor) {
      nodes {
        id contractId timesheetId milestoneId status grossAmount { ${MONEY} } netAmount { ${MONEY} }
        paidAmount { ${MONEY} } deductions { name amount { ${MONEY} } } scheduledDate completedAt sentBy sentToEnding
        createdAt
      }
      nextCursor
    }
  }`);
