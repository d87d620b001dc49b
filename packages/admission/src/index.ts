export { mintActorToken, mintActorTokens, verifyActorToken, type ActorKeys } from './actor-token.js';
export { ADMISSION_SUBJECT, createAdmissionClient, type AdmissionClient, type Requester } from './client.js';
export {
  SERVICES,
  type ActorTokens,
  type AdmissionAnswer,
  type AdmissionQuestion,
  type Admitted,
  type Credential,
  type RateLimit,
  type Refused,
  type ServiceName,
} from './protocol.js';
export { readQuestions } from './read-questions.js';
export {
  hashProof,
  newApiKey,
  newInternalToken,
  parseApiKey,
  parseInternalToken,
  type Deployment,
  type NewSecret,
} from './secret.js';
