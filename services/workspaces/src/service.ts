import { ADMISSION_SUBJECT, readQuestions, type ActorKeys, type Deployment } from '@payroll/admission';
import { startRunner, type ServiceDefinition, type ServiceParts } from '@payroll/service';
import { loadById } from '@payroll/subgraph';
import { asStepsOf, metrics } from '@payroll/telemetry';
import { acts } from './activity.js';
import { forgetSignIns } from './accounts/sign-in.js';
import { answerAdmission, type AdmissionOptions } from './admission/answer-admission.js';
import { forgetCounters } from './admission/rate-counters.js';
import { ApiKeyResolver } from './graphql/api-keys.js';
import { BusinessResolver } from './graphql/business.js';
import { ConnectionResolver } from './graphql/connections.js';
import { SandboxResolver } from './graphql/sandbox.js';
import { TypedFormResolver } from './graphql/typed-forms.js';
import { InvitationResolver, MemberResolver } from './graphql/members.js';
import { Principal } from './graphql/principals.js';
import { assertionKey, oauthRoutes, serveConnections } from './connections/serve-connections.js';
import { forgetArtifacts } from './oauth/adapter.js';
import type { MailSettings } from './mail/mailer.js';
import type { OauthSettings } from './oauth/settings.js';
import { principals } from './queries/principals.js';
import { pages } from './web/pages/pages.js';
import { startWeb } from './web/create-web.js';
import type { WebRoutes, WebSettings } from './web/web.js';
import { KeyUses } from './admission/key-uses.js';
import { workspacesSchema } from './store/schema.js';

export interface WorkspacesOptions {
  deployment: Deployment;
  /** Mint the actor tokens of each service. */
  actorKeys: ActorKeys;
  web: WebSettings;
  /** Null where no mail is sent. */
  mail: MailSettings | null;
  /** Null where there is no MCP server to sign in to. */
  oauth: OauthSettings | null;
}

export function workspacesService(options: WorkspacesOptions): ServiceDefinition<'workspaces'> {
  const { deployment, actorKeys, web, mail, oauth } = options;
  const keyUses = new KeyUses();
  return {
    name: 'workspaces',
    schema: workspacesSchema,
    activity: { acts, principal: Principal },
    subgraph: (parts) => {
      const business = new BusinessResolver(parts);
      const principalsById = principals(parts.em);
      return {
        resolvers: [
          business,
          new MemberResolver(parts),
          new ApiKeyResolver(parts, deployment),
          new InvitationResolver(parts, web.origin),
          new ConnectionResolver(parts),
          new TypedFormResolver(parts, web.origin),
          new SandboxResolver({ ...parts, deployment }),
        ],
        orphanedTypes: [Principal],
        references: {
          Business: ({ id }, context) => loadById(context, business.byId, id),
          Principal: ({ id }, context) => loadById(context, principalsById, id),
        },
      };
    },
    consumers: {},
    edge: (parts, drain, waitingFor) =>
      startWeb(parts, { drain, waitingFor }, { settings: web, mail }, routes(parts, oauth)),
    background: (parts) => runners(parts, keyUses),
    answers: (parts) => {
      if (oauth) serveConnections(parts, oauth);
      const key = oauth && assertionKey(oauth.secret);
      serveAdmission(parts, { em: parts.em, actorKeys, assertionKey: key, now: () => new Date() }, keyUses);
    },
  };
}

function runners({ em, log }: ServiceParts, keyUses: KeyUses): AsyncDisposable[] {
  const every = (everyMs: number, name: string, work: () => Promise<void>) => startRunner({ name, everyMs, work, log });
  return [
    every(10 * 60_000, 'forget-counters', () => forgetCounters(em)),
    every(10 * 60_000, 'forget-sign-ins', () => forgetSignIns(em)),
    every(10 * 60_000, 'forget-artifacts', () => forgetArtifacts(em)),
    every(10_000, 'write-key-uses', () => keyUses.write(em)),
  ];
}

function serveAdmission({ bus, log }: ServiceParts, options: AdmissionOptions, keyUses: KeyUses): void {
  bus.answer(ADMISSION_SUBJECT, 'workspaces', async (body) => {
    const questions = readQuestions(body);
    const answers = await asStepsOf(questions, 'find out who is calling', () => answerAdmission(options, questions));
    keyUses.note(questions, answers);
    for (const [n, answer] of answers.entries()) {
      const outcome = answer.admitted ? 'admitted' : answer.code;
      metrics.admissionAnswers.add({ via: questions[n]?.via ?? 'unknown', outcome });
      log.debug({ requestId: questions[n]?.requestId, via: questions[n]?.via, outcome }, 'answered admission');
    }
    return answers;
  });
}

function routes(parts: ServiceParts, oauth: OauthSettings | null): WebRoutes {
  const more = oauthRoutes(parts, oauth);
  return { pages: [...pages(oauth?.outside != null), ...more.pages], endpoints: more.endpoints };
}
