import type { AdmissionClient } from '@payroll/admission';
import type { Gateway } from '@payroll/gateway';
import { answering, servePages } from '@payroll/pages';
import type { EdgeParts, Deployment } from '@payroll/runtime';
import type { FastifyInstance } from 'fastify';
import { answerError } from './answer-error.js';
import { ConsoleExchange } from './exchange.js';
import { kitPages } from './kit.js';
import { PreparedOperations } from './operations.js';
import { withTypedForms } from './routes.js';
import { ownPages } from './own/pages.js';
import { pagesOf, sections } from './sections.js';
import { workPages } from './work/pages.js';

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
  const exchangeOf: Parameters<typeof answering<ConsoleExchange>>[1] = (request, reply) =>
    ConsoleExchange.of(application, request, reply);
  return servePages({
    ...parts,
    ...{ exchangeOf, answerError },
    pages: [
      answering(
        { ...pagesOf(sections), ...withTypedForms(workPages), ...ownPages, ...(deployment === 'test' && kitPages) },
        exchangeOf,
      ),
    ],
    longForms: ['/workspaces/:workspaceId/contracts/:id/edit'],
  });
}
