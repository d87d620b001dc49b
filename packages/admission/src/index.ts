export { mintActorToken, mintActorTokens, verifyActorToken, type ActorKeys } from './actor-token.js';
export type { Requester } from './ask-in-batches.js';
export { parseAssertion, writeAssertion } from './assertion.js';
export { ADMISSION_SUBJECT, createAdmissionClient, type AdmissionClient } from './client.js';
export {
  CONNECTION_SUBJECT,
  createConnectionAdmission,
  readConnectionQuestions,
  type AdmittedConnection,
  type ConnectionAdmission,
  type ConnectionAnswer,
  type ConnectionQuestion,
  type RefusedConnection,
} from './connection.js';
export type {
  ActorTokens,
  AdmissionAnswer,
  AdmissionQuestion,
  Admitted,
  Credential,
  RateLimit,
  Refused,
} from './protocol.js';
export { readQuestions } from './read-questions.js';
export {
  hashProof,
  newApiKey,
  newInternalToken,
  parseApiKey,
  parseInternalToken,
  whyNoApiKey,
  whyNoInternalToken,
  type Deployment,
  type NewSecret,
} from './secret.js';
