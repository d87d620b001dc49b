import { ADMISSION_SUBJECT, readQuestions, type ActorKeys, type Deployment } from '@payroll/admission';
import { startRunner, type ServiceDefinition } from '@payroll/service';
import { loadById } from '@payroll/subgraph';
import { forgetSignIns } from './accounts/forget-sign-ins.js';
import { answerAdmission } from './admission/answer-admission.js';
import { forgetCounters } from './admission/forget-counters.js';
import { ApiKeyMutations } from './graphql/api-key-mutations.js';
import { BusinessMutations } from './graphql/business-mutations.js';
import { BusinessQueries } from './graphql/business-queries.js';
import { MemberMutations } from './graphql/member-mutations.js';
import { MemberQueries } from './graphql/member-queries.js';
import { businessesById } from './queries/businesses-by-id.js';
import { pages } from './web/pages/pages.js';
import { startWeb } from './web/start-web.js';
import type { WebSettings } from './web/web.js';
import { workspacesSchema } from './store/schema.js';

export interface WorkspacesOptions {
  deployment: Deployment;
  actorKeys: ActorKeys;
  web: WebSettings;
}

/** Businesses, members, keys and their pages; the one that answers admission. */
export function workspacesService({ deployment, actorKeys, web }: WorkspacesOptions): ServiceDefinition {
  return {
    name: 'workspaces',
    schema: workspacesSchema,
    subgraph: ({ em, commands }) => {
      const byId = businessesById(em);
      return {
        resolvers: [
          new BusinessQueries(byId),
          new MemberQueries(em),
          new BusinessMutations(commands),
          new MemberMutations(commands),
          new ApiKeyMutations(commands, deployment),
        ],
        references: { Business: ({ id }, context) => loadById(context, byId, id) },
      };
    },
    consumers: () => ({}),
    edge: (parts) => startWeb(parts, web, { pages, endpoints: [] }),
    background: ({ em, log }) => [
      startRunner({
        name: 'forget-counters',
        everyMs: 10 * 60_000,
        work: () => forgetCounters(em),
        clock: () => new Date(),
        log,
      }),
      startRunner({
        name: 'forget-sign-ins',
        everyMs: 10 * 60_000,
        work: () => forgetSignIns(em),
        clock: () => new Date(),
        log,
      }),
    ],
    answers: ({ em, bus, log }) => {
      const options = { em, actorKeys, now: () => new Date() };
      bus.answer(ADMISSION_SUBJECT, 'workspaces', async (body) => {
        const questions = readQuestions(body);
        const answers = await answerAdmission(options, questions);
        for (const [n, answer] of answers.entries()) {
          const outcome = answer.admitted ? 'admitted' : answer.code;
          log.debug({ requestId: questions[n]?.requestId, via: questions[n]?.via, outcome }, 'answered admission');
        }
        return answers;
      });
    },
  };
}
