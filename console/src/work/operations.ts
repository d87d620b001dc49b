import { graphql, type FieldOf } from '../operations.js';

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
    }
  }
`);

export type ContractRow = FieldOf<typeof readMyContracts, 'myContracts'>[number];

export const readMyContract = graphql(`
  query myContract($id: ID!) {
    myContract(id: $id) {
      id
      title
      status
      startDate
      endDate
      cancellationReason
      text
      digest
      sentAt
      businessSignedAt
      workerSignedAt
      changesAsked
      changesAskedAt
      amendments {
        number
        text
        digest
        holdsFrom
      }
    }
  }
`);

export type MyContract = FieldOf<typeof readMyContract, 'myContract'>;

export const signMyContract = graphql(`
  mutation signMyContract($id: ID!, $digest: String!, $clientAddress: String!, $browser: String!, $operationId: ID) {
    signMyContract(
      id: $id
      digest: $digest
      clientAddress: $clientAddress
      browser: $browser
      operationId: $operationId
    ) {
      status
    }
  }
`);

export const askForContractChanges = graphql(`
  mutation askForContractChanges($id: ID!, $reason: String!, $operationId: ID) {
    askForContractChanges(id: $id, reason: $reason, operationId: $operationId) {
      id
    }
  }
`);

export const leaveAsWorker = graphql(`
  mutation leaveAsWorker($operationId: ID) {
    leaveAsWorker(operationId: $operationId)
  }
`);
