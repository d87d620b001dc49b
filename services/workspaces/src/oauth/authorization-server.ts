import type { EventEmitter } from 'node:events';
import type { EntityManager } from '@mikro-orm/postgresql';
import { errorForLog } from '@payroll/kernel';
import type { Log } from '@payroll/process';
import type { JWTPayload } from 'jose';
import { Provider } from 'oidc-provider';
import { guardedFetch, type GuardedFetchOptions } from './guarded-fetch.js';
import { KeyRing, type SigningKeys } from './key-ring.js';
import { providerConfiguration } from './provider-configuration.js';
import { inRanges, isPublicAddress } from './public-address.js';
import { renderError } from './render-error.js';
import type { OauthSettings } from './settings.js';
import { countStranger } from './throttle.js';
import { stayUntilDecided } from './stay-until-decided.js';
import { countFailuresOfClients } from './count-failures-of-clients.js';
import { signOwnToken } from './sign-token.js';
import { verifyOwnToken, type Expected } from './verify-token.js';

export interface AuthorizationServerOptions {
  em: EntityManager;
  settings: OauthSettings;
  log: Log;
  /** How metadata documents are fetched, where not in the usual way. */
  metadata?: Partial<GuardedFetchOptions>;
}

/** The embedded authorization server of this process; its state and its keys are everybody's. */
export class AuthorizationServer {
  private readonly ring: KeyRing;
  private version = '';
  private made: Provider | undefined;

  constructor(private readonly options: AuthorizationServerOptions) {
    this.ring = new KeyRing(options.em, options.settings.secret);
  }

  get settings(): OauthSettings {
    return this.options.settings;
  }

  get em(): EntityManager {
    return this.options.em;
  }

  /** What an access token of ours says, if it is one and its time is not over. */
  async readAccessToken(token: string): Promise<JWTPayload | null> {
    return await verifyOwnToken(token, this.ring, this.expected);
  }

  async signAccessToken(claims: JWTPayload & { sub: string }, lifetimeS: number): Promise<string> {
    return await signOwnToken(claims, this.ring, this.expected, lifetimeS);
  }

  /** As of this moment: the library takes its keys when it is made, so that other keys make another one. */
  async provider(): Promise<Provider> {
    const keys = await this.ring.current();
    if (!this.made || this.version !== keys.version) {
      this.made = this.create(keys);
      this.version = keys.version;
    }
    return this.made;
  }

  private get expected(): Expected {
    const { issuer, mcpUrl } = this.settings;
    return { issuer, audience: mcpUrl };
  }

  private create(keys: SigningKeys): Provider {
    const { em, settings, log, metadata } = this.options;
    const allowed = inRanges(settings.metadataRanges);
    const isAllowed = (address: string): boolean => isPublicAddress(address) || allowed(address);
    const provider = new Provider(
      settings.issuer,
      providerConfiguration({
        em,
        settings,
        keys,
        renderError,
        fetchMetadata: (url) => guardedFetch(url, { isAllowed, ...metadata }),
        mayFetch: async (clientAddress) => (await countStranger(em, 'metadata', clientAddress)) === null,
      }),
    );
    // The mount says under which address it was reached (endpoints.ts), never the request.
    provider.proxy = true;
    stayUntilDecided(provider);
    countFailuresOfClients(provider, em);
    const note = (error: unknown): void => log.error({ error: errorForLog(error) }, 'The authorization server failed');
    const koa: EventEmitter = provider;
    koa.on('error', note);
    provider.on('server_error', (_, error) => note(error));
    return provider;
  }
}
