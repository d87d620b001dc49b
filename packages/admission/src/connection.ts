import { DomainError, type ErrorCode, type Role, type Scope } from '@payroll/kernel';
import { currentTraceparent, step } from '@payroll/telemetry';
import { askInBatches, type Requester } from './ask-in-batches.js';

export const CONNECTION_SUBJECT = 'admission.connection';

/** As RFC 6750 §2.1 spells tokens; longer than any issuer needs, and so short that a batch of them fits one message. */
const TOKEN = /^[\w.~+/-]{1,4000}={0,2}$/;

/** An assistant's access token, as it came. It is asked about on every request, and goes nowhere else. */
export interface ConnectionQuestion {
  accessToken: string;
  clientAddress: string;
  /** The step of a trace that asks. */
  traceparent?: string | undefined;
}

/** Who is behind an assistant, as of this moment. */
export interface AdmittedConnection {
  /** The connection's integration principal. */
  principalId: string;
  workspaceId: string;
  /** For people to see which one it is. */
  workspaceName: string;
  role: Role;
  /** Token ∩ grant ∩ live role (public-api.md §5). */
  scopes: readonly Scope[];
  /** Stands for the connection towards the facade for 60 s, where everything is looked up once more. */
  assertion: string;
}

export interface RefusedConnection {
  code: ErrorCode;
  message: string;
  retryAfterSeconds?: number;
}

export type ConnectionAnswer = { admitted: AdmittedConnection } | { refused: RefusedConnection };

export interface ConnectionAdmission {
  /**
   * @throws DomainError `INVALID_CREDENTIAL` for a token that is none of ours (any more) or whose connection is ended,
   * `INSUFFICIENT_SCOPE`, `INTEGRATION_DISABLED`, `RATE_LIMITED`, or `SERVICE_UNAVAILABLE` when nobody can say.
   */
  admit(accessToken: string, request: { clientAddress: string }): Promise<AdmittedConnection>;
}

/** How the MCP server asks. Questions that wait at the same time travel together; none is answered from a cache. */
export function createConnectionAdmission(bus: Requester): ConnectionAdmission {
  const batches = askInBatches<ConnectionQuestion, ConnectionAnswer>(bus, CONNECTION_SUBJECT);
  return {
    admit: async (accessToken, { clientAddress }) => {
      if (!TOKEN.test(accessToken)) throw new DomainError('INVALID_CREDENTIAL', 'This is no access token.');
      const answer = await step('ask who is calling', { kind: 'client' }, () =>
        batches.ask({ accessToken, clientAddress, traceparent: currentTraceparent() }),
      );
      if ('admitted' in answer) return answer.admitted;
      const { code, message, retryAfterSeconds } = answer.refused;
      throw new DomainError(code, message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
    },
  };
}

/** The questions of one message. @throws TypeError for what is no list of them, which whoever asked sees as no answer. */
export function readConnectionQuestions(body: unknown): ConnectionQuestion[] {
  if (Array.isArray(body) && body.every(isQuestion)) return body;
  throw new TypeError('Admission is asked a list of questions about connections.');
}

function isQuestion(value: unknown): value is ConnectionQuestion {
  const { accessToken, clientAddress } = (value ?? {}) as Partial<ConnectionQuestion>;
  return typeof accessToken === 'string' && typeof clientAddress === 'string';
}
