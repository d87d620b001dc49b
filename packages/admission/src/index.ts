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
  describeApiKeyProblem,
  describeTokenProblem,
  formatAssertion,
} from './credentials.js';
export { AdmissionPeer, admissionSettings, type AdmissionSettings } from './peer.js';
export {
  readPersonQuestions,
  type Person,
  type PersonQuestion,
  ASKED_BY,
  EDGES,
  readConnectionQuestions,
  parseAdmissionRequests,
  type ActorTokens,
  type AdmissionResponse,
  type AdmissionRequest,
  type AdmissionGranted,
  type AdmittedConnection,
  type BearerCredential,
  type ConnectionResponse,
  type ConnectionRequest,
  type Credential,
  type Edge,
  type RateLimit,
  type AdmissionDenied,
} from './protocol.js';
export { encodeClaims, readSigned, signed } from './signed-claims.js';
