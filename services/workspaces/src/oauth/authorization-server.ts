import type { EventEmitter } from 'node:events';
import type { EntityManager } from '@mikro-orm/postgresql';
import { errorForLog, newId, SCOPES, systemOrigin } from '@payroll/kernel';
import type { Log } from '@payroll/runtime';
import type { Commands } from '@payroll/commands';
import type { JWTPayload } from 'jose';
import { Provider } from 'oidc-provider';
import { connectAssistant } from '../commands/connections.js';
import { IDENTITY_SCOPES } from '../domain/connection.js';
import type { SignedUpMember } from '../queries/members.js';
import { signOwnToken, verifyOwnToken, type Expected, KeyRing, type SigningKeys } from './key-ring.js';
import { blockUnconfirmedRedirects } from './error-page.js';
import { saveGrant } from './state.js';
import { guardedFetch, inRanges, isPublicAddress, type GuardedFetchOptions } from './guarded-fetch.js';
import { providerConfiguration } from './provider-configuration.js';
import { type OauthSettings, ROUTES } from './settings.js';
import { read, sql, rawSql } from '@payroll/store';
import { type Counter, countInto, networkOf } from '../admission/rate-counters.js';

export interface AuthorizationServerOptions {
  em: EntityManager;
  settings: OauthSettings;
  log: Log;
  /** Options for fetching metadata documents, if not the defaults. */
  metadata?: Partial<GuardedFetchOptions>;
}

export interface AccessTokenOrder extends SignedUpMember {
  workspaceId: string;
  clientName: string;
  lifetimeS: number;
}

/** The embedded authorization server of this process; all processes share its state and its keys. */
export class AuthorizationServer {
  readonly em: EntityManager;
  readonly settings: OauthSettings;
  private readonly ring: KeyRing;
  private made: { version: string; provider: Provider } | undefined;

  constructor(private readonly options: AuthorizationServerOptions) {
    const { em, settings } = options;
    this.em = em;
    this.settings = settings;
    this.ring = new KeyRing(em, settings.secret);
  }

  private get expected(): Expected {
    return { issuer: this.settings.issuer, audience: this.settings.mcpUrl };
  }

  /** The claims of one of our access tokens; null if it is invalid or expired. */
  async readAccessToken(token: string): Promise<JWTPayload | null> {
    return await verifyOwnToken(token, this.ring, this.expected);
  }

  /**
   * A sign-in without a browser: connects the member as a consent would, and returns a token that differs only in its
   * lifetime. The client is known to this workspace only, so that nobody else can send people to sign in to it.
   * @throws DomainError `INSUFFICIENT_SCOPE` for a member whose client no admin has enabled.
   */
  async mintAccessToken(commands: Commands, order: AccessTokenOrder): Promise<string> {
    const { workspaceId, membershipId, accountId, clientName, lifetimeS } = order;
    const clientId = `operator:${clientName}`;
    const grantId = newId();
    const consent = {
      membershipId,
      subject: accountId,
      grantId,
      scopes: SCOPES,
      enable: true,
      client: { id: clientId, name: clientName, hosts: ['an operator of this service'] },
    };
    await commands.run(connectAssistant, consent, systemOrigin(workspaceId, 'runner', newId()));
    const grant = { accountId, clientId, grantId, scopes: IDENTITY_SCOPES, resource: this.settings.mcpUrl };
    await saveGrant(await this.provider(), grant);
    const scope = IDENTITY_SCOPES.join(' ');
    const claims = { sub: accountId, client_id: clientId, org_id: workspaceId, scope, grant_id: grantId };
    return await signOwnToken(claims, this.ring, this.expected, lifetimeS);
  }

  /**
   * A provider with the current keys: the library reads keys only when it is created, so other keys need another
   * instance.
   */
  async provider(): Promise<Provider> {
    const keys = await this.ring.current();
    if (this.made?.version !== keys.version) this.made = { version: keys.version, provider: this.create(keys) };
    return this.made.provider;
  }

  private create(keys: SigningKeys): Provider {
    const { em, settings, log, metadata } = this.options;
    const allowed = inRanges(settings.metadataRanges);
    const isAllowed = (address: string): boolean => isPublicAddress(address) || allowed(address);
    const configuration = providerConfiguration({
      em,
      settings,
      keys,
      fetchMetadata: (url) => guardedFetch(url, { isAllowed, ...metadata }),
      mayFetch: async (clientAddress) => (await countUnauthenticated(em, 'metadata', clientAddress)) === null,
    });
    const provider = new Provider(settings.issuer, configuration);
    // Take the URL from the headers that the mount sets (endpoints.ts), never from the client's request.
    provider.proxy = true;
    blockUnconfirmedRedirects(provider);
    countFailuresOfClients(provider, em);
    const note = (error: unknown): void => log.error({ error: errorForLog(error) }, 'The authorization server failed');
    (provider as EventEmitter).on('error', note);
    provider.on('server_error', (_, error) => note(error));
    return provider;
  }
}

/** Per client address. `authorize` counts people's browsers, `token` only failures of clients. */
const PER_MINUTE = { register: 20, metadata: 30, authorize: 120, token: 120 } as const;

const count = (subject: string) => sql`
  with demand as (select ${subject}::text as subject, 1 as wanted) ${rawSql<Counter>(countInto('demand'))}`;

/** Counts a request; returns the seconds to wait, or null if it is allowed. */
export async function countUnauthenticated(em: EntityManager, kind: keyof typeof PER_MINUTE, clientAddress: string) {
  const [counter] = await read(em, count(`${kind}/${networkOf(clientAddress)}`));
  const { used, reset } = counter!;
  return used > PER_MINUTE[kind] ? reset : null;
}

/** The body of a 429 for programs, in the format of OAuth errors. */
export function tooManyRequests(waitSeconds: number): { error: string; error_description: string } {
  return { error: 'too_many_requests', error_description: `Try again in ${waitSeconds} s.` };
}

const COUNTED: readonly string[] = [ROUTES.token, ROUTES.revocation];

/** Valid codes and tokens are neither counted nor refused: a hosted assistant uses one address for all its people. */
function countFailuresOfClients(provider: Provider, em: EntityManager): void {
  provider.use(async (ctx, next) => {
    await next();
    if (!COUNTED.includes(ctx.path) || ctx.status < 400 || ctx.status >= 500) return;
    const waitSeconds = await countUnauthenticated(em, 'token', ctx.ip);
    if (waitSeconds === null) return;
    ctx.status = 429;
    ctx.set('Retry-After', String(waitSeconds));
    ctx.body = tooManyRequests(waitSeconds);
  });
}
