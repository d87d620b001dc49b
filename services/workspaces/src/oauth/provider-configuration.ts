import type { EntityManager } from '@mikro-orm/postgresql';
import { isId, SCOPES } from '@payroll/kernel';
import { computed, columns, read, sql } from '@payroll/store';
import { errors, type Configuration, interactionPolicy } from 'oidc-provider';
import { IDENTITY_SCOPES, normalizeClientMetadata } from '../domain/connection.js';
import { AccountTable } from '../store/account-tables.js';
import { createAdapter, useGrant } from './state.js';
import { renderError } from './error-page.js';
import { SIGNING_ALGORITHM, type SigningKeys } from './key-ring.js';
import { deriveKey, SealedBox } from './sealed-box.js';
import { ROUTES, type OauthSettings, INTERACTION_PATH } from './settings.js';
import { signInPath } from '@payroll/pages';
import type { IncomingMessage } from 'node:http';

/** Limits the damage of a stolen token. Keys stay published for a minute longer (key-ring.ts). */
const TOKEN_S = 300;
const DAY_S = 86_400;

export interface ProviderDependencies {
  em: EntityManager;
  settings: OauthSettings;
  keys: SigningKeys;
  fetchMetadata: (url: URL) => Promise<Response>;
  /** Whether this client address may cause another document to be fetched. */
  mayFetch: (clientAddress: string) => Promise<boolean>;
}

/** The parts of OAuth 2.1 that assistants need; everything not named here is disabled. */
export function providerConfiguration(parts: ProviderDependencies): Configuration {
  const { em, settings, keys } = parts;
  const { userinfo, ...routes } = ROUTES;
  return {
    adapter: createAdapter(em, new SealedBox(settings.secret, 'artifacts')),
    jwks: { keys: [...keys.keys] },
    enabledJWA: { idTokenSigningAlgValues: [SIGNING_ALGORITHM] },
    routes,
    discovery: { userinfo_endpoint: settings.issuer + userinfo },
    scopes: [...IDENTITY_SCOPES, ...SCOPES],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    responseTypes: ['code'],
    subjectTypes: ['public'],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    findAccount: (_, id) => findAccount(em, id),
    loadExistingGrant: ({ oidc }) =>
      oidc.result?.consent?.grantId ? oidc.provider.Grant.find(oidc.result.consent.grantId) : undefined,
    interactions,
    cookies: cookies(settings),
    renderError,
    ...tokens(em),
    ...clients(parts),
    features: features(parts),
  };
}

/** The claims of a person for ID tokens and userinfo: those of the scopes `profile` and `email`. */
export async function findAccount(em: EntityManager, id: string) {
  if (!isId(id)) return undefined;
  const proved = computed('email_verified', 'boolean', sql`email_verified_at is not null`);
  const one = sql`select ${columns(AccountTable, 'name', 'email')}, ${proved} from account where id = ${id}`;
  const [row] = await read(em, one);
  return row && { accountId: id, claims: () => ({ sub: id, ...row }) };
}

function tokens(em: EntityManager): Configuration {
  return {
    ttl: {
      AccessToken: TOKEN_S,
      AuthorizationCode: 60,
      IdToken: TOKEN_S,
      // Long enough to sign in and to ask an admin.
      Interaction: 1_800,
      Session: 60,
      // Valid for as long as it is used at least once a month, but no longer than half a year.
      RefreshToken: 30 * DAY_S,
      Grant: 182 * DAY_S,
    },
    clockTolerance: 5,
    expiresWithSession: () => false,
    // Even without `offline_access`, which assistants omit: every sign-in has a consent and can be revoked.
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    extraTokenClaims: async (_, token) => {
      const grantId = 'grantId' in token ? token.grantId : undefined;
      const grant = await useGrant(em, grantId);
      if (!grant) throw new errors.InvalidGrant('the connection is revoked');
      return { org_id: grant.workspaceId, grant_id: grantId };
    },
  };
}

function clients({ fetchMetadata }: ProviderDependencies): Configuration {
  return {
    clientAuthMethods: ['none'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: SIGNING_ALGORITHM,
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    // The property itself is unused: its validator is the provider's hook for checking the whole metadata.
    extraClientMetadata: {
      properties: ['software_id'],
      validator: (_ctx, _key, _value, metadata) => {
        const problem = normalizeClientMetadata(metadata);
        if (problem !== null) throw new errors.InvalidClientMetadata(problem);
      },
    },
    clientBasedCORS: (_, origin, client) =>
      (client.redirectUris ?? []).some((uri) => URL.parse(uri)?.origin === origin),
    fetch: (url) => fetchMetadata(new URL(url instanceof Request ? url.url : url)),
  };
}

function features({ settings, mayFetch }: ProviderDependencies): Configuration['features'] {
  const resource = { scope: [...IDENTITY_SCOPES, ...SCOPES].join(' '), audience: settings.mcpUrl };
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    // Answered by our endpoint: the provider's refuses every token that has an audience.
    userinfo: { enabled: false },
    revocation: { enabled: true, allowedPolicy: (_, client, token) => token.clientId === client.clientId },
    registration: { enabled: true, issueRegistrationAccessToken: false },
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      allowFetch: (ctx) => mayFetch(ctx.ip),
      cacheDuration: { min: 60, max: 3_600 },
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => settings.mcpUrl,
      useGrantedResource: () => true,
      getResourceServerInfo: (_, indicator) => {
        if (indicator !== settings.mcpUrl) throw new errors.InvalidTarget();
        const jwt = { sign: { alg: SIGNING_ALGORITHM } } as const;
        return { ...resource, accessTokenTTL: TOKEN_S, accessTokenFormat: 'jwt', jwt };
      },
    },
  };
}

function cookies({ secret, issuer }: OauthSettings): Configuration['cookies'] {
  const options = { httpOnly: true, sameSite: 'lax', secure: issuer.startsWith('https:'), signed: true } as const;
  return {
    keys: [deriveKey(secret, 'cookies').export().toString('base64url')],
    names: { session: 'oauth_session', interaction: 'oauth_interaction', resume: 'oauth_resume' },
    short: { ...options },
    long: { ...options },
  };
}

const { Check, Prompt } = interactionPolicy;

/**
 * A person has to look at every authorization request: public clients prove nothing (RFC 6749 §10.2, RFC 9700 §4.14).
 */
const consentRequired = new Check('unseen', 'a person has to look at this request', 'interaction_required', (ctx) =>
  ctx.oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
);

/** The sign-in URL for requests of people who are not signed in; it returns to the same request. */
const signInUrls = new WeakMap<IncomingMessage, string>();

const interactions: NonNullable<Configuration['interactions']> = {
  policy: [
    new Prompt({ name: 'login', requestable: true }),
    new Prompt({ name: 'consent', requestable: true }, consentRequired),
  ],
  url: async (ctx, interaction) => {
    const way = signInUrls.get(ctx.req);
    // Anyone can make requests; store them only for signed-in people.
    if (way !== undefined) await interaction.destroy();
    return way ?? `${INTERACTION_PATH}/${interaction.uid}`;
  },
};

/**
 * Treat max_age below 60 s as 60 s: the user has just signed in on the way here, and a shorter limit would send them
 * back to sign-in in a loop.
 */
const JUST_NOW_S = 60;

/** Marks an authorization request without a session; `url` is the request's URL as it was sent. */
export function rememberUnauthenticated(raw: IncomingMessage, url: string): void {
  const back = new URL(url, 'http://here');
  // `login` and a short `max_age` both require a new sign-in, which follows anyway: relax them, so that the returned
  // request does not loop.
  const prompts = back.searchParams.get('prompt')?.split(' ') ?? [];
  const others = prompts.filter((prompt) => prompt !== 'login');
  if (others.length < prompts.length) back.searchParams.set('prompt', others.join(' ') || 'consent');
  const maxAge = back.searchParams.get('max_age');
  if (maxAge !== null && Number(maxAge) < JUST_NOW_S) back.searchParams.set('max_age', String(JUST_NOW_S));
  signInUrls.set(raw, signInPath(back.pathname + back.search));
}
