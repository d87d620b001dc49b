import {
  isId,
  SCOPES,
  type ErrorCode,
  type ErrorDetail,
  type Origin,
  type Role,
  type Scope,
  type ServiceName,
} from '@payroll/kernel';

/** The processes that ask. Which one it is follows from its secret, never from the question. */
export const EDGES = ['rest-facade', 'gateway', 'console', 'mcp'] as const;
export type Edge = (typeof EDGES)[number];

/**
 * The entry point that each edge serves, and the credentials that it may have checked. mcp has only access tokens, and
 * gets no actor tokens (`ConnectionRequest`).
 */
export const ASKED_BY = {
  'rest-facade': { via: 'rest', kinds: ['api_key', 'assertion'] },
  gateway: { via: 'graphql', kinds: ['token'] },
  console: { via: 'web', kinds: ['session'] },
} as const satisfies Record<Exclude<Edge, 'mcp'>, { via: Origin['via']; kinds: readonly Credential['kind'][] }>;

/** `proof` is the SHA-256 of the secret, stored hashed once more; in an assertion its claims and signature. */
export interface BearerCredential {
  kind: 'api_key' | 'token' | 'assertion';
  id: string;
  proof: string;
}

/** Of a browser that is signed in, whose cookie has no id. */
interface SessionCredential {
  kind: 'session';
  proof: string;
}

export type Credential = BearerCredential | SessionCredential;

/** The admission question of every request, replays included: who is the caller, and is the request allowed now? */
export interface AdmissionRequest {
  /** Null when it is missing or malformed: still asked, because failed attempts are counted per address. */
  credential: Credential | null;
  requestId: string;
  clientAddress: string;
  limit: 'reads' | 'writes';
  /** The scope the operation needs; null where each field decides for itself (internal GraphQL). */
  scope: Scope | null;
  /** Staff, services and people who are signed in name the workspace they act in, and staff the reason. */
  workspaceId?: string;
  reason?: string;
  /** Whether a signed-in person is to be admitted as a worker; otherwise it is as a member. */
  as?: 'worker' | undefined;
  traceparent?: string | undefined;
}

/** `remaining` of `quota` in a window of 60 s that ends in `resetSeconds` (public-api.md §8). */
export interface RateLimit {
  name: 'reads' | 'writes' | 'workspace' | 'failures' | 'messages' | 'pages';
  quota: number;
  remaining: number;
  resetSeconds: number;
}

/** One short-lived token per service, which only that service can verify. */
export type ActorTokens = Readonly<Record<ServiceName, string>>;

export interface AdmissionGranted {
  admitted: true;
  origin: Origin;
  tokens: ActorTokens;
  rateLimits: readonly RateLimit[];
  /** Of somebody who is signed in: what their pages call them, and the workspace. */
  names?: { person: string; workspace: string };
}

export interface AdmissionDenied extends RefusedConnection {
  admitted: false;
  /** Empty for an unknown credential, unless its address has failed too often. */
  rateLimits: readonly RateLimit[];
}

export type AdmissionResponse = AdmissionGranted | AdmissionDenied;

/** An assistant's access token. It is checked on every request, and sent to no other service. */
export interface ConnectionRequest {
  accessToken: string;
  clientAddress: string;
  traceparent?: string | undefined;
}

export interface AdmittedConnection {
  /** The connection's integration principal. */
  principalId: string;
  workspaceId: string;
  workspaceName: string;
  role: Role;
  /** Token ∩ grant ∩ live role (public-api.md §5). */
  scopes: readonly Scope[];
  /** Authenticates the connection at the facade for 60 s; the facade checks everything again. */
  assertion: string;
}

interface RefusedConnection {
  code: ErrorCode;
  message: string;
  details?: readonly ErrorDetail[] | undefined;
  retryAfterSeconds?: number | undefined;
}

export type ConnectionResponse = { admitted: AdmittedConnection } | { refused: RefusedConnection };

/** The console's question for pages that belong to no workspace: whose session this is. The answer gives access to none. */
export interface PersonQuestion {
  /** The SHA-256 of the session's secret. */
  proof: string;
  /** Whether the answer has all that the pages of the account show. */
  withData: boolean;
}

export interface Person {
  name: string;
  /** The workspaces that they work for, by name. */
  employers: readonly { workspaceId: string; workspaceName: string }[];
  /** Null unless the question has `withData` and the password is recent. */
  data: Readonly<Record<string, unknown>> | null;
}

type Checks<T> = { readonly [Field in keyof Required<T>]: (value: unknown) => boolean };

/** What a header can hold: ids and addresses may come from one. */
const TEXT = /^[\x20-\x7e\xa0-\xff]{0,255}$/;
/** A SHA-256 in base64url; in an assertion, after its claims. */
const PROOF = /^(?:[\w-]{1,400}\.)?[\w-]{43}$/;

const isString = (value: unknown): boolean => typeof value === 'string';
const isText = (value: unknown): boolean => typeof value === 'string' && TEXT.test(value);
const isStringOrNone = (value: unknown): boolean => value === undefined || isString(value);
const oneOf =
  (...words: readonly unknown[]) =>
  (value: unknown): boolean =>
    words.includes(value);

const isProof = (value: unknown): boolean => typeof value === 'string' && PROOF.test(value);

const BEARER: Checks<BearerCredential> = {
  kind: oneOf('api_key', 'token', 'assertion'),
  id: isId,
  proof: isProof,
};
const SESSION: Checks<SessionCredential> = { kind: oneOf('session'), proof: isProof };

const QUESTION: Checks<AdmissionRequest> = {
  credential: (value) => value === null || fits(BEARER, value) || fits(SESSION, value),
  requestId: isText,
  clientAddress: isText,
  limit: oneOf('reads', 'writes'),
  scope: oneOf(null, ...SCOPES),
  workspaceId: isStringOrNone,
  reason: isStringOrNone,
  as: oneOf(undefined, 'worker'),
  traceparent: isStringOrNone,
};

const CONNECTION_QUESTION: Checks<ConnectionRequest> = {
  accessToken: isString,
  clientAddress: isString,
  traceparent: () => true,
};

const PERSON_QUESTION: Checks<PersonQuestion> = { proof: isString, withData: oneOf(true, false) };

/**
 * Null for a question that is malformed or that this edge may not ask: the others are still answered.
 * @throws TypeError unless it is a list.
 */
export function parseAdmissionRequests(body: unknown, edge: Exclude<Edge, 'mcp'>): (AdmissionRequest | null)[] {
  if (!Array.isArray(body)) throw new TypeError('Admission is asked a list of questions.');
  const kinds: readonly Credential['kind'][] = ASKED_BY[edge].kinds;
  const mayAsk = ({ credential }: AdmissionRequest): boolean => credential === null || kinds.includes(credential.kind);
  return body.map((each) => (fits(QUESTION, each) && mayAsk(each) ? each : null));
}

/** The questions of one message. @throws TypeError unless all are well-formed: the asker gets no answer. */
export function readConnectionQuestions(body: unknown): ConnectionRequest[] {
  if (Array.isArray(body) && body.every((each) => fits(CONNECTION_QUESTION, each))) return body;
  throw new TypeError('Admission is asked a list of questions about connections.');
}

/** @throws TypeError for anything else than a list of questions */
export function readPersonQuestions(body: unknown): PersonQuestion[] {
  if (Array.isArray(body) && body.every((each) => fits(PERSON_QUESTION, each))) return body;
  throw new TypeError('Each question names a session by its proof.');
}

function fits<T>(checks: Checks<T>, value: unknown): value is T {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries<(value: unknown) => boolean>(checks).every(([name, check]) => check(Reflect.get(value, name)));
}
