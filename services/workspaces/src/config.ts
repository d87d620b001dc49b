import { createSecretKey } from 'node:crypto';
import { EDGES } from '@payroll/admission';
import { SERVICES } from '@payroll/kernel';
import { publicOrigin } from '@payroll/pages';
import { readSettings, type Settings, type Deployment } from '@payroll/runtime';
import { serviceSettings, type ProcessConfig } from '@payroll/service';
import type { MailSettings } from './mail/mailer.js';
import type { ExternalIssuer } from './admission/token-issuer.js';
import { OWN_CLAIMS } from './domain/connection.js';
import type { OauthSettings } from './oauth/settings.js';
import type { WorkspacesOptions } from './service.js';
import type { WebSettings } from './web/account-context.js';

/** Null if this deployment sends no mail. */
type WorkspacesConfig = ProcessConfig & Omit<WorkspacesOptions, 'mailer'> & { mail: MailSettings | null };

/** @throws ConfigError naming each variable that is missing or not valid. */
export function readConfig(env: NodeJS.ProcessEnv): WorkspacesConfig {
  return readSettings(env, (s) => {
    const deployment = s.choice('DEPLOYMENT', ['test', 'live']);
    const web = webSettings(s, deployment);
    return {
      ...serviceSettings(s, 'workspaces'),
      deployment,
      actorKeys: s.keys('ACTOR_KEYS', SERVICES),
      admission: {
        listenHost: s.text('ADMISSION_LISTEN_HOST', '127.0.0.1'),
        listenPort: s.port('ADMISSION_LISTEN_PORT', 4010),
        secrets: s.secretLists('ADMISSION_SECRETS', EDGES),
      },
      secondFactorKeys: s.keyRing('SECOND_FACTOR_KEYS')?.map((key) => createSecretKey(key)),
      web,
      mail: mailSettings(s),
      oauth: web.mcpUrl === null ? null : oauthSettings(s, web.origin, web.mcpUrl),
    };
  });
}

function webSettings(s: Settings, deployment: Deployment): WebSettings {
  const authUrl = s.url('APP_URL', ['http:', 'https:']);
  // An invalid value is undefined here; all problems are reported together.
  const isReadable = authUrl !== undefined && deployment !== undefined;
  return {
    deployment,
    listenHost: s.text('AUTH_LISTEN_HOST', '127.0.0.1'),
    listenPort: s.port('AUTH_LISTEN_PORT', 4002),
    origin: isReadable ? publicOrigin(authUrl, deployment) : '',
    restUrl: s.url('REST_URL', ['http:', 'https:']),
    mcpUrl: s.url('MCP_URL', ['http:', 'https:'], '') || null,
    trustedProxies: s.ranges('TRUSTED_PROXIES'),
  };
}

/** Null if this deployment sends no mail. */
export function mailSettings(s: Settings): MailSettings | null {
  if (s.text('SMTP_URL', '') === '') return null;
  const url = s.url('SMTP_URL', ['smtp:', 'smtps:']);
  return { url: url && withPassword(url, s.text('SMTP_PASSWORD', '')), from: s.mailbox('MAIL_FROM') };
}

/** For a user whose password is not in the URL. */
function withPassword(address: string, password: string): string {
  const url = new URL(address);
  if (url.username !== '' && url.password === '') url.password = password;
  return url.href;
}

function oauthSettings(s: Settings, issuer: string, mcpUrl: string): OauthSettings {
  return {
    issuer,
    mcpUrl,
    secret: s.key('OAUTH_SECRET'),
    metadataRanges: s.ranges('CLIENT_METADATA_RANGES'),
    outside: s.text('EXTERNAL_ISSUER', '') === '' ? null : outsideIssuer(s, mcpUrl),
  };
}

function outsideIssuer(s: Settings, mcpUrl: string): ExternalIssuer {
  return {
    issuer: s.text('EXTERNAL_ISSUER'),
    jwksUrl: s.url('EXTERNAL_JWKS_URL', ['http:', 'https:']),
    audience: s.text('EXTERNAL_AUDIENCE', mcpUrl),
    claims: {
      organization: s.text('EXTERNAL_ORGANIZATION_CLAIM', OWN_CLAIMS.organization),
      client: s.text('EXTERNAL_CLIENT_CLAIM', OWN_CLAIMS.client),
      scope: s.text('EXTERNAL_SCOPE_CLAIM', OWN_CLAIMS.scope),
    },
    emailClaim: s.text('EXTERNAL_EMAIL_CLAIM', 'email'),
  };
}
