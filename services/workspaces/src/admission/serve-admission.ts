import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  ASKED_BY,
  type Edge,
  EDGES,
  type Person,
  type PersonQuestion,
  readConnectionQuestions,
  readPersonQuestions,
  parseAdmissionRequests,
} from '@payroll/admission';
import {
  withSpanInEach,
  createHttpServer,
  type Drain,
  type EdgeConfig,
  metrics,
  openServer,
  serveHealth,
  type ReadinessCheck,
} from '@payroll/runtime';
import type { ServiceDependencies } from '@payroll/service';
import { LogController, type FastifyInstance, type onRequestAsyncHookHandler } from 'fastify';
import { handleConnectionAdmission, type ConnectionAdmissionOptions } from './handle-connections.js';
import { readMailChoices } from '../accounts/mail-choices.js';
import { Sessions, type SignedInSession } from '../accounts/sessions.js';
import { membershipsOfAccount, employersOfAccount } from '../queries/members.js';
import { handleAdmission, type AdmissionOptions } from './handle-admission.js';

export interface AdmissionSettings extends Pick<EdgeConfig, 'listenHost' | 'listenPort'> {
  /** Per edge; two while its secret is being rotated. */
  secrets: Readonly<Record<Edge, readonly string[]>>;
}

interface AdmissionDependencies extends Pick<ServiceDependencies, 'log'> {
  admission: AdmissionOptions;
  /** Null if there is no MCP server. */
  connections: ConnectionAdmissionOptions | null;
  waitingFor: ReadinessCheck;
}

/** Room for 200 questions with an access token each. */
const BODY_LIMIT = 8 * 1024 * 1024;

export async function openAdmission(
  parts: AdmissionDependencies,
  drain: Drain,
  { secrets, ...listen }: AdmissionSettings,
): Promise<AsyncDisposable> {
  return await openServer(createAdmission(parts, secrets), drain, listen, 'ADMISSION_LISTEN_PORT');
}

/** `POST /admission`: a list of questions from one edge, answered with a list on one line (ADR 08). `POST /person` likewise, for the console. */
export function createAdmission(parts: AdmissionDependencies, secrets: AdmissionSettings['secrets']): FastifyInstance {
  const server = createHttpServer({
    loggerInstance: parts.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
  });
  const digests = EDGES.flatMap((edge) => secrets[edge].map((secret) => [edge, digestOf(`Bearer ${secret}`)] as const));
  const edgeOf = ({ authorization = '' }: IncomingHttpHeaders): Edge | undefined => {
    const shown = digestOf(authorization);
    return digests.find(([, digest]) => timingSafeEqual(digest, shown))?.[0];
  };
  // Before the body is read.
  const onRequest: onRequestAsyncHookHandler = async ({ headers }, reply) => {
    if (edgeOf(headers) === undefined) await reply.code(401).send();
  };
  server.post('/admission', { onRequest }, async ({ headers, body }, reply) => {
    const edge = edgeOf(headers)!;
    const answers = edge === 'mcp' ? await answerMcp(parts, body) : await answer(parts, body, edge);
    return await reply.type('application/jsonl').send(`${JSON.stringify(answers)}\n`);
  });
  server.post('/person', { onRequest }, async ({ headers, body }, reply) => {
    if (edgeOf(headers) !== 'console') return await reply.code(403).send();
    const { em } = parts.admission;
    const answers = await Promise.all(readPersonQuestions(body).map((question) => answerPerson(em, question)));
    return await reply.type('application/jsonl').send(`${JSON.stringify(answers)}\n`);
  });
  serveHealth(server, parts.waitingFor);
  return server;
}

function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

async function answer({ admission, log }: AdmissionDependencies, body: unknown, edge: Exclude<Edge, 'mcp'>) {
  const { via } = ASKED_BY[edge];
  const questions = parseAdmissionRequests(body, edge);
  const answers = await withSpanInEach(questions, 'find out who is calling', () =>
    handleAdmission(admission, via, questions),
  );
  for (const [n, each] of answers.entries()) {
    const outcome = each.admitted ? 'admitted' : each.code;
    metrics.admissionAnswers.add({ via, outcome });
    log.debug({ requestId: questions[n]?.requestId, edge, outcome }, 'answered admission');
  }
  return answers;
}

/** The MCP server sends every access token that it receives. */
async function answerMcp({ connections }: AdmissionDependencies, body: unknown) {
  const questions = readConnectionQuestions(body);
  if (connections === null) throw new Error('There is no MCP server in this deployment.');
  return await withSpanInEach(questions, 'find out which assistant is calling', () =>
    handleConnectionAdmission(connections, questions),
  );
}

/** The person of a session, with the workspaces that they work for. Null for a session that has ended. */
export async function answerPerson(em: EntityManager, { proof, withData }: PersonQuestion): Promise<Person | null> {
  const found = await new Sessions(em).findByProof(proof);
  if (found === null) return null;
  const { id, name } = found.account;
  const employers = await employersOfAccount(em, id);
  return { name, employers, data: withData && found.isRecent ? await dataOf(em, found) : null };
}

/** The account's data, as its pages show it. */
async function dataOf(em: EntityManager, { account, hasSecondFactor }: SignedInSession) {
  const [browsers, memberships, mailChoices] = await Promise.all([
    new Sessions(em).list(account.id),
    membershipsOfAccount(em, account.id),
    readMailChoices(em, account.id),
  ]);
  return {
    account: { ...account, hasSecondFactor },
    signedInBrowsers: browsers.map(({ id: _id, ...browser }) => browser),
    memberships: memberships.map(({ workspaceId, workspaceName, name, role }) => {
      return { workspaceId, workspaceName, name, role };
    }),
    mailChoices,
  };
}
