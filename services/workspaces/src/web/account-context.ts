import type { EntityManager } from '@mikro-orm/postgresql';
import type { Log, Deployment } from '@payroll/runtime';
import type { Bus, Commands } from '@payroll/commands';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest, FastifyContextConfig } from 'fastify';
import type { Mailer } from '../mail/mailer.js';
import type { SecondFactors } from '../accounts/second-factor.js';
import type { Sessions, SignedInSession } from '../accounts/sessions.js';
import {
  beginSession,
  DEVICE_DAYS,
  type PasswordAttempt,
  type PasswordMatch,
  rememberDevice,
} from '../accounts/sign-in.js';
import * as kit from '@payroll/pages';

export interface WebSettings {
  deployment: Deployment;
  listenHost: string;
  listenPort: number;
  /** Public origin of the pages, `https://accounts.example.com`; their cookies and forms belong to it. */
  origin: string;
  /** URLs shown to integrators and assistants; null if there is no such server. */
  restUrl: string;
  mcpUrl: string | null;
  trustedProxies: readonly string[];
}

export interface WebDependencies {
  settings: WebSettings;
  em: EntityManager;
  commands: Commands;
  /** For questions to contracts, which owns the workers. */
  bus: Pick<Bus, 'request'>;
  sessions: Sessions;
  secondFactors: SecondFactors;
  /** Null if this deployment sends no mail. */
  mailer: Mailer | null;
  log: Log;
}

export type RoutePlugin = (web: WebDependencies) => FastifyPluginAsync;

export interface WebRoutes {
  /** For people: HTML and forms. Every POST is refused unless it comes from a form that this server rendered. */
  pages: readonly RoutePlugin[];
  /** For programs: without form parser and form guard; they parse and refuse requests themselves. */
  endpoints: readonly RoutePlugin[];
}

const exchanges = new WeakMap<FastifyRequest, AccountContext>();

interface SignInProof {
  /** Whether the second factor was given too, if the account has one. */
  isProven: boolean;
  /** For how many days sign-in requires no code in this browser; null unless a code was given. */
  trustedDays?: number | null;
}

/** A browser's request with its session. */
export class AccountContext extends kit.PageContext {
  private visitor: Promise<SignedInSession | null> | undefined;

  private constructor(
    readonly web: WebDependencies,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    super(request, reply, web.settings.origin);
  }

  static of(web: WebDependencies, request: FastifyRequest, reply: FastifyReply): AccountContext {
    const exchange = exchanges.get(request) ?? new AccountContext(web, request, reply);
    exchanges.set(request, exchange);
    return exchange;
  }

  /** The signed-in session of this browser; looked up once. */
  signedIn(): Promise<SignedInSession | null> {
    const secret = this.cookies.read('session');
    this.visitor ??= kit.isSecret(secret) ? this.web.sessions.find(secret) : Promise.resolve(null);
    return this.visitor;
  }

  /** @throws SignInRedirect to the sign-in page */
  async requireSignIn(): Promise<SignedInSession> {
    const visitor = await this.signedIn();
    if (visitor) return visitor;
    throw new kit.SignInRedirect('sign-in', kit.formPagePath(this.request));
  }

  /** Requires a recent password before the form is filled in rather than after it is sent. @throws SignInRedirect */
  async requireRecent(): Promise<void> {
    const { isRecent } = await this.requireSignIn();
    if (!isRecent && !this.isForm) throw new kit.SignInRedirect('password', kit.formPagePath(this.request));
  }

  /** Restores, once, what was typed into this page before its session ended; `body` then returns it. */
  async takeTypedForm(): Promise<void> {
    if (this.isForm) return;
    await this.restore(await this.web.sessions.takeDraft(await this.requireSignIn(), this.request.url));
  }

  attempt(email: string, password: string): PasswordAttempt {
    return { email, password, address: this.request.ip, device: this.cookies.read('device') ?? null };
  }

  get userAgent(): string {
    return this.request.headers['user-agent'] ?? '';
  }

  /** Identifies the browser, signed in or not. */
  get browserHash(): string {
    return kit.hashSecret(this.cookies.read('session') ?? '');
  }

  /** False if the account has changed since the password was checked: it may no longer be the right one. */
  async signIn(recognized: PasswordMatch, proof: SignInProof, draft: kit.SavedForm | null = null): Promise<boolean> {
    const { em, sessions } = this.web;
    const begun = await beginSession(em, sessions, recognized, { ...proof, userAgent: this.userAgent, draft });
    if (begun === null) return false;
    this.cookies.write('session', begun.session);
    this.cookies.write('device', begun.device, DEVICE_DAYS * 86_400);
    return true;
  }

  /** Clears the session cookie and the pages that the browser could show again. The device stays known. */
  signOut(): void {
    this.cookies.clear('session');
    void this.reply.header('Clear-Site-Data', '"cache", "storage"');
  }

  /** Marks the browser as known to the account, so that its attempts are counted separately. */
  async rememberBrowser(accountId: string): Promise<void> {
    this.cookies.write('device', await rememberDevice(this.web.em, accountId, null), DEVICE_DAYS * 86_400);
  }

  protected async visitorShown(): Promise<kit.SignedInUser | null> {
    const visitor = await this.signedIn();
    return visitor && { name: visitor.account.name, key: visitor.account.id };
  }
}

export type RouteTable = kit.RouteTable<AccountContext>;

export function answering(table: RouteTable, config?: FastifyContextConfig): RoutePlugin {
  return (web) => kit.mountRoutes(table, (request, reply) => AccountContext.of(web, request, reply), config);
}

export function formPage<Entered>(path: string, page: kit.FormPage<AccountContext, Entered>): RouteTable {
  return kit.formPage(path, page);
}
