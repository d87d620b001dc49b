import type { KeyObject } from 'node:crypto';
import type { ActorKeys } from '@payroll/admission';
import { answerQuestion, WORKER_ACCESS_QUESTION } from '@payroll/events';
import { deploymentName, type Deployment } from '@payroll/runtime';
import {
  loadById,
  type ServiceDefinition,
  type ServiceDependencies,
  type VisibleActions,
  startBackgroundJob,
  visibleToAdmins,
  visibleToAllRoles,
} from '@payroll/service';
import { keepNotice, tellPayoutChange } from './commands/notices.js';
import { closeDue } from './accounts/closing.js';
import { deleteExpiredSignIns } from './accounts/sign-in.js';
import { openAdmission, type AdmissionSettings } from './admission/serve-admission.js';
import { deleteExpiredCounters } from './admission/rate-counters.js';
import { ApiKeyResolver } from './graphql/api-keys.js';
import { BusinessResolver, SandboxResolver } from './graphql/business.js';
import { ConnectionResolver } from './graphql/connections.js';
import { type Installation, InstallationResolver } from './graphql/installation.js';
import { TypedFormResolver } from './graphql/typed-forms.js';
import { InvitationResolver, MemberResolver, Principal } from './graphql/members.js';
import { WorkerAccessResolver } from './graphql/worker-access.js';
import { assertionKey, connectionAdmission } from './admission/handle-connections.js';
import { deleteExpiredArtifacts } from './oauth/state.js';
import { AuthorizationServer } from './oauth/authorization-server.js';
import { consentPages } from './oauth/consent/consent-pages.js';
import { oauthEndpoints } from './oauth/endpoints.js';
import type { Mailer } from './mail/mailer.js';
import { dropMails, deleteExpiredMails, observeMails } from './mail/outbox.js';
import { deleteExpiredPayoutStops } from './accounts/links.js';
import { startMailRunner } from './mail/send-mails.js';
import type { OauthSettings } from './oauth/settings.js';
import { principals } from './queries/references.js';
import { findAccess } from './queries/members.js';
import { mailStop } from './web/pages/mail-choices.js';
import { pages, startWeb } from './web/create-web.js';
import type { WebRoutes, WebSettings } from './web/account-context.js';
import { workspacesSchema } from './store/schema.js';

/** Only those who can give access see who has it. */
export const visibleActions: VisibleActions = {
  'workspace.provisioned': visibleToAllRoles('name', 'country'),
  'business.updated': visibleToAllRoles('name', 'country'),
  'business.verification-changed': visibleToAllRoles('kybStatus'),
  'business.switches-set': visibleToAdmins('integrationEnabled', 'writesEnabled'),
  'business.second-factor-required': visibleToAdmins('secondFactorRequired'),
  'member.invited': visibleToAdmins('name', 'role'),
  'invitation.accepted': visibleToAdmins('name', 'role'),
  'invitation.revoked': visibleToAdmins('email'),
  'worker-access.invited': visibleToAdmins('email'),
  'worker-access.joined': visibleToAllRoles(),
  'worker-access.ended': visibleToAllRoles(),
  'member.added': visibleToAdmins('name', 'role'),
  'member.role-changed': visibleToAdmins('name', 'role'),
  'member.left': visibleToAdmins('name'),
  'api-key.created': visibleToAdmins('name', 'scopes', 'expiresAt'),
  'api-key.rotated': visibleToAdmins('name', 'scopes', 'expiresAt'),
  'api-key.revoked': visibleToAdmins('name'),
  'mcp-connection.connected': visibleToAdmins('name', 'scopes'),
  'mcp-connection.revoked': visibleToAdmins('name'),
  'mcp-connection.expired': visibleToAdmins('name'),
};

export interface WorkspacesOptions {
  deployment: Deployment;
  /** Null outside of cells (ADR 32). */
  cell: string | null;
  /** Keys that sign the actor tokens of each service. */
  actorKeys: ActorKeys;
  admission: AdmissionSettings;
  /** The first seals the secrets of second factors, all open them. */
  secondFactorKeys: readonly KeyObject[];
  web: WebSettings;
  /** Null if this deployment sends no mail. */
  mailer: Mailer | null;
  /** Null if there is no MCP server to sign in to. */
  oauth: OauthSettings | null;
}

export function workspacesService(options: WorkspacesOptions): ServiceDefinition<'workspaces'> {
  const { deployment, cell, web, mailer, oauth, secondFactorKeys } = options;
  return {
    name: 'workspaces',
    schema: workspacesSchema,
    activity: { visibleActions, principal: Principal },
    subgraph: (parts) => {
      const business = new BusinessResolver(parts);
      const principalsById = principals(parts.em);
      return {
        resolvers: [
          business,
          new MemberResolver(parts),
          new ApiKeyResolver(parts, deploymentName(deployment, cell)),
          new InvitationResolver(parts, { origin: web.origin, mailer }),
          new WorkerAccessResolver(parts, { origin: web.origin, mailer }),
          new ConnectionResolver(parts),
          new InstallationResolver(installationOf(options)),
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
    // The other services refuse managers the acts of a worker who signs in.
    requestHandlers: ({ bus, em }) =>
      answerQuestion(bus, WORKER_ACCESS_QUESTION, async (worker) => ({
        hasAccess: (await findAccess(em, worker)) !== null,
      })),
    consumers: {
      'notice.contract': keepNotice,
      'notice.work': keepNotice,
      'notice.payment': keepNotice,
      'notice.payout-change': tellPayoutChange,
    },
    edge: async (parts, drain, waitingFor) => {
      await using starting = new AsyncDisposableStack();
      const asked = { ...admissionDependencies(parts, options), waitingFor };
      starting.use(await openAdmission(asked, drain, options.admission));
      starting.use(
        await startWeb(
          parts,
          { drain, waitingFor },
          { settings: web, mailer, secondFactorKeys },
          webRoutes(parts, oauth),
        ),
      );
      return starting.move();
    },
    background: (parts) => runners(parts, mailer, web),
  };
}

function installationOf({ web: { restUrl, mcpUrl }, mailer, oauth }: WorkspacesOptions): Installation {
  return { restUrl, mcpUrl, sendsMail: mailer !== null, hasOutsideIssuer: oauth?.outside != null };
}

function admissionDependencies(parts: ServiceDependencies, { actorKeys, oauth }: WorkspacesOptions) {
  const key = oauth && assertionKey(oauth.secret);
  return {
    log: parts.log,
    admission: { em: parts.em, actorKeys, assertionKey: key, now: () => new Date() },
    connections: oauth && connectionAdmission(parts, oauth),
  };
}

function runners({ em, commands, log }: ServiceDependencies, mailer: Mailer | null, site: WebSettings) {
  const rarely = (name: string, work: () => Promise<void>) =>
    startBackgroundJob({ name, everyMs: 10 * 60_000, work, log });
  const closing = (stopping: AbortSignal) => closeDue({ em, commands, log }, stopping);
  return [
    rarely('forget-counters', () => deleteExpiredCounters(em)),
    rarely('forget-sign-ins', () => deleteExpiredSignIns(em)),
    rarely('forget-artifacts', () => deleteExpiredArtifacts(em)),
    startBackgroundJob({ name: 'close-accounts', everyMs: 60_000, work: closing, log }),
    rarely('forget-mails', () => deleteExpiredMails(em)),
    rarely('forget-payout-stops', () => deleteExpiredPayoutStops(em)),
    // Notices are always written. Only here it is known whether there is a mailer: without one they are dropped.
    ...(mailer === null
      ? [rarely('drop-mails', () => dropMails(em))]
      : [startMailRunner({ em, log, mailer, site }), observeMails(em)]),
  ];
}

/** With the authorization server and its pages, unless an external issuer replaces it. */
export function webRoutes(
  { em, log }: Pick<ServiceDependencies, 'em' | 'log'>,
  settings: OauthSettings | null,
): WebRoutes {
  if (settings === null || settings.outside) return { pages, endpoints: [mailStop] };
  const server = new AuthorizationServer({ em, settings, log });
  return { pages: [...pages, consentPages(server)], endpoints: [mailStop, oauthEndpoints(server)] };
}
