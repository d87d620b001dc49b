export { mintActorToken, mintActorTokens, verifyActorToken, type ActorKeys } from './actor-token.js';
export {
  createAdmissionClient,
  createConnectionAdmission,
  type AdmissionClient,
  type ConnectionAdmission,
} from './client.js';
export {
  hashProof,
  idOfApiKey,
  newApiKey,
  newInternalToken,
  parseApiKey,
  parseAssertion,
  parseInternalToken,
  whyNoApiKey,
  whyNoInternalToken,
  writeAssertion,
} from './credentials.js';
export { AdmissionPeer, admissionSettings, type AdmissionSettings } from './peer.js';
export { readPersonQuestions, type Person, type PersonQuestion } from './person.js';
export {
  EDGES,
  readConnectionQuestions,
  readQuestions,
  type ActorTokens,
  type AdmissionAnswer,
  type AdmissionQuestion,
  type Admitted,
  type AdmittedConnection,
  type BearerCredential,
  type ConnectionAnswer,
  type ConnectionQuestion,
  type Credential,
  type Edge,
  type RateLimit,
  type Refused,
  type SentQuestion,
  type SessionCredential,
} from './protocol.js';
