import { type AdmissionClient, AdmissionPeer, createAdmissionClient } from '@payroll/admission';
import { Gateway, supergraph } from '@payroll/gateway';
import * as kit from '@payroll/pages';
import { createLog, type Deployment, type Drain, type EdgeParts, openEdge, waitingFor } from '@payroll/runtime';
import type { FastifyInstance } from 'fastify';
import { ConsoleExchange } from './exchange.js';
import { kitPages } from './kit.js';
import { PreparedOperations } from './operations.js';
import { type RouteTable, withTypedForms } from './routes.js';
import { pagesOf, sections } from './sections.js';
import { workPages } from './work/pages.js';
import type { ConsoleConfig } from './config.js';
import { dataFile } from './own/data.js';
import { employersPage } from './own/employers.js';
import { keepTypedForm } from './typed-forms.js';
import { visit } from './visit.js';
import { workVisit } from './work/visit.js';

/** The application, listening until it is disposed of: it then finishes open requests and closes its parts, newest first. */
export async function startConsole(config: ConsoleConfig, drain: Drain): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  const log = createLog('console', config.logLevel);
  const admission = createAdmissionClient(starting.use(new AdmissionPeer(config.admission)));
  const gateway = starting.use(new Gateway({ supergraph: supergraph(), subgraphs: config.subgraphs }));
  const app = await createApp({
    ...config,
    ...{ gateway, log },
    admission,
    // Not the services: only pages that need one that is down are 503 (ADR 09).
    waitingFor: waitingFor(drain, {}),
  });
  starting.use(await openEdge(app, drain, config));
  return starting.move();
}

export interface ConsoleParts extends EdgeParts {
  admission: Pick<AdmissionClient, 'ask' | 'askPerson'>;
  gateway: Gateway;
  deployment: Deployment;
  /** Where people find these pages, and sign in. */
  origin: string;
}

/** The HTTP server of the application, not yet listening. */
export function createApp({ gateway, admission, deployment, ...parts }: ConsoleParts): Promise<FastifyInstance> {
  const { log, origin } = parts;
  const operations = new PreparedOperations(gateway);
  const application = { admission, deployment, sections, origin, log, operations };
  const exchangeOf: Parameters<typeof kit.answering<ConsoleExchange>>[1] = (request, reply) =>
    ConsoleExchange.of(application, request, reply);
  return kit.servePages({
    ...parts,
    ...{ exchangeOf, answerError },
    pages: [
      kit.answering(
        { ...pagesOf(sections), ...withTypedForms(workPages), ...ownPages, ...(deployment === 'test' && kitPages) },
        exchangeOf,
      ),
    ],
    longForms: ['/workspaces/:workspaceId/contracts/:id/edit'],
  });
}

/** Pages of a person, over all workspaces that they belong to. */
const ownPages: RouteTable = {
  'GET /work': employersPage,
  'GET /account/data.json': dataFile,
};

const WORDINGS: kit.Wordings = {
  STALE_RESOURCE_VERSION: [
    409,
    'It has changed meanwhile',
    'Nothing was done. Open the page again to see what it is now.',
  ],
  IDEMPOTENCY_KEY_REUSED: [
    409,
    'This form was sent already',
    'What it asked for was done the first time. If you did not save the secret that was shown, revoke that key and make another.',
  ],
};

async function answerError(at: ConsoleExchange, failure: unknown): Promise<kit.Answer> {
  const keepTyped = () => at.run(keepTypedForm, { draft: JSON.stringify(kit.draftOf(at.request)) });
  const { log } = at.application;
  return await kit.answerError(at, failure, { log, wordings: WORDINGS, keepTyped, showPlace });
}

/** For members and workers. Other people get 404, as for a workspace that does not exist. */
async function showPlace(at: ConsoleExchange): Promise<void> {
  if (at.place === null) await (at.isWork ? workVisit(at) : visit(at)).catch(() => {});
  const { place } = at;
  if (!place) return;
  const navigation = place.navigation.map((group) => group.map((link) => ({ ...link, isHere: false })));
  at.place = { ...place, navigation, crumbs: [] };
}
