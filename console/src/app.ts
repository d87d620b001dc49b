import { type AdmissionClient, AdmissionPeer, createAdmissionClient } from '@payroll/admission';
import { Gateway, supergraph } from '@payroll/gateway';
import { isDomainError, isSecondFactorMissing } from '@payroll/kernel';
import * as kit from '@payroll/pages';
import {
  createLog,
  type Deployment,
  type Drain,
  type EdgeDependencies,
  openServer,
  createReadinessCheck,
} from '@payroll/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ConsoleContext } from './console-context.js';
import { kitPages } from './kit.js';
import { PreparedOperations } from './operations.js';
import { type RouteTable, withTypedForms } from './routes.js';
import { pagesOf, sections } from './sections.js';
import { workPages } from './work/pages.js';
import type { ConsoleConfig } from './config.js';
import { dataFile } from './own/data.js';
import { employersPage } from './own/employers.js';
import { requireMember, requireWorker } from './workspace-context.js';

/** The application, listening until it is disposed of: it then finishes open requests and closes its parts, newest first. */
export async function startConsole(config: ConsoleConfig, drain: Drain): Promise<AsyncDisposable> {
  await using starting = new AsyncDisposableStack();
  const log = createLog('console', config.logLevel);
  const admission = createAdmissionClient(starting.use(new AdmissionPeer(config.admission)));
  const gateway = starting.use(new Gateway({ supergraph: supergraph(), subgraphs: config.subgraphs }));
  const app = await createApp({
    ...config,
    gateway,
    log,
    admission,
    // Not the services: only pages that need one that is down are 503 (ADR 09).
    waitingFor: createReadinessCheck(drain, {}),
  });
  starting.use(await openServer(app, drain, config));
  return starting.move();
}

interface ConsoleDependencies extends EdgeDependencies {
  admission: Pick<AdmissionClient, 'ask' | 'askPerson'>;
  gateway: Gateway;
  deployment: Deployment;
  /** Where people find these pages, and sign in. */
  origin: string;
}

/** The HTTP server of the application, not yet listening. */
export function createApp({ gateway, admission, deployment, ...parts }: ConsoleDependencies): Promise<FastifyInstance> {
  const { log, origin } = parts;
  const operations = new PreparedOperations(gateway);
  const application = { admission, deployment, sections, origin, log, operations };
  const exchangeOf = (request: FastifyRequest, reply: FastifyReply): ConsoleContext =>
    ConsoleContext.of(application, request, reply);
  return kit.servePages({
    ...parts,
    exchangeOf,
    answerError,
    pages: [
      kit.mountRoutes(
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

const WORDINGS: kit.ErrorPageTexts = {
  STALE_RESOURCE_VERSION: [
    409,
    'It has changed meanwhile',
    'Nothing was done. Open the page again to see what it is now.',
  ],
  IDEMPOTENCY_KEY_REUSED: [
    409,
    'This form was sent already',
    'Only your first submission was handled. What you entered this time was not. If you did not save the secret that was shown, revoke that key and make another.',
  ],
};

const FACTOR_FIRST =
  'This workspace requires a second factor of its admins, so nothing was done. Sign in again and set one up: what you typed will be back.';

async function answerError(ctx: ConsoleContext, failure: unknown): Promise<kit.PageResponse> {
  // Admission refuses to keep it, and setting one up needs a recent password anyway.
  if (ctx.isForm && isSecondFactorMissing(failure)) return kit.signInResponse(ctx, '/', FACTOR_FIRST);
  const keepTyped = () => ctx.keepTypedForm();
  const { log } = ctx.application;
  return await kit.answerError(ctx, failure, { log, wordings: WORDINGS, keepTyped, showPlace, wayOut });
}

/** To the thing that is no longer in the state which the page or form below it needs. */
function wayOut({ request }: ConsoleContext, refusal: unknown) {
  const [, path, thing] = /^(\/.+\/(contract|timesheet|milestone|payment)s\/[\w-]+)\/\w/.exec(request.url) ?? [];
  return path !== undefined && isDomainError(refusal, 'INVALID_STATE') ? { label: `Open the ${thing}`, path } : null;
}

/** For members and workers. Other people get 404, as for a workspace that does not exist. */
async function showPlace(ctx: ConsoleContext): Promise<void> {
  if (ctx.place === null) await (ctx.isWork ? requireWorker(ctx) : requireMember(ctx)).catch(() => {});
  const { place } = ctx;
  if (!place) return;
  const navigation = place.navigation.map((group) => group.map((link) => ({ ...link, isHere: false })));
  ctx.place = { ...place, navigation, crumbs: [] };
}
