import { newId, systemOrigin, type Role } from '@payroll/kernel';
import { createLog, type Log } from '@payroll/runtime';
import { startMailCatcher, type MailCatcher } from '@payroll/tools/local/mail-catcher';
import { sql } from 'kysely';
import { vi } from 'vitest';
import { hashPassword } from '../../src/accounts/passwords.js';
import { SecondFactors } from '../../src/accounts/second-factor.js';
import { Sessions } from '../../src/accounts/sessions.js';
import { linkAccount } from '../../src/commands/members.js';
import { Mailer, type MailSettings } from '../../src/mail/mailer.js';
import { startMailRunner } from '../../src/mail/send-mails.js';
import { AccountTable } from '../../src/store/account-tables.js';
import { createWeb, pages } from '../../src/web/create-web.js';
import { mailStop } from '../../src/web/pages/mail-choices.js';
import type { RoutePlugin, WebDependencies, WebSettings } from '../../src/web/account-context.js';
import { Browser, type Page } from './browser.js';
import { NO_BUS, SECOND_FACTOR_KEY, Workspaces, type Place } from '../support.js';

export const PASSWORD = 'plum gravel teapot nine';

export interface Route {
  method: 'GET' | 'POST';
  url: string;
}

/** A signed-in person with a browser of their own. */
export interface Person {
  browser: Browser;
  accountId: string;
  membershipId: string;
  email: string;
  sessionId: string;
}

const ready = () => Promise.resolve([]);

/** The pages, served over HTTP on a port of their own, with the database behind them. */
export class Site implements AsyncDisposable {
  private constructor(
    readonly workspaces: Workspaces,
    readonly url: string,
    /** All pages and forms. */
    readonly routes: Route[],
    readonly web: WebDependencies,
    /** Null unless mail is caught. */
    readonly catcher: MailCatcher | null,
    private readonly stack: AsyncDisposableStack,
  ) {}

  /** Adds another process that answers some of the paths; it is closed first. */
  join(other: AsyncDisposable & { besides: (path: string) => string | undefined }): void {
    this.stack.use(other);
    this.besides = other.besides;
  }

  private besides: (path: string) => string | undefined = () => undefined;

  static async open(
    database: string,
    change: Partial<WebSettings> = {},
    mail: MailSettings | 'caught' | null = null,
  ): Promise<Site> {
    await using opening = new AsyncDisposableStack();
    const catcher = mail === 'caught' ? opening.use(await startMailCatcher({ smtp: 0, page: 0 })) : null;
    const workspaces = opening.use(await Workspaces.open(database));
    const settings: WebSettings = {
      deployment: 'test',
      listenHost: '127.0.0.1',
      listenPort: 0,
      origin: '',
      restUrl: 'https://api.example/v1',
      mcpUrl: null,
      trustedProxies: ['127.0.0.1'],
      ...change,
    };
    const { em, commands } = workspaces;
    const log = createLog('workspaces', 'fatal');
    const routes: Route[] = [];
    const server = mail === 'caught' ? { url: catcher!.url, from: 'Payroll <payroll@example.com>' } : mail;
    const mailer = server && opening.use(new Mailer(server, log));
    const secondFactors = new SecondFactors(em, [SECOND_FACTOR_KEY]);
    const web = { settings, em, commands, bus: NO_BUS, log, sessions: new Sessions(em), secondFactors, mailer };
    const app = await createWeb(web, { pages: pages.map(recordedIn(routes)), endpoints: [mailStop] }, ready);
    opening.adopt(app, (open) => open.close());
    if (mailer) opening.use(startMailRunner({ em, log, mailer, site: settings }));
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    settings.origin = change.origin ?? url;
    return new Site(workspaces, url, routes, web, catcher, opening.move());
  }

  /** A browser with an address of its own unless one is given. */
  browser(address = newAddress()): Browser {
    return new Browser(this.url, { 'x-forwarded-for': address }, this.besides);
  }

  /** The pages again, in a process of their own with the same database, behind the same origin. */
  async anotherProcess(log: Log = this.web.log) {
    const secondFactors = new SecondFactors(this.workspaces.em, [SECOND_FACTOR_KEY]);
    const app = await createWeb({ ...this.web, secondFactors, log }, { pages, endpoints: [] }, ready);
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    return {
      browser: () => new Browser(this.url, { 'x-forwarded-for': '203.0.113.1' }, () => url),
      [Symbol.asyncDispose]: () => app.close(),
    };
  }

  /** The mails to that address, newest first. */
  mailsTo(email: string): MailCatcher['mails'] {
    return this.catcher!.mails.filter(({ to }) => to === email);
  }

  subjectsTo(email: string): string[] {
    return this.mailsTo(email).map(({ subject }) => subject);
  }

  /** The path of the link in the newest mail with that subject, once it has arrived. */
  async linkTo(email: string, subject: string): Promise<string> {
    const find = () => this.mailsTo(email).find((mail) => mail.subject === subject);
    const { text } = await vi.waitUntil(find, { timeout: 15_000 });
    return new URL(/https?:\/\/\S+/.exec(text)![0]).pathname;
  }

  async account(name = 'Ada Admin'): Promise<{ id: string; email: string }> {
    const { em } = this.workspaces;
    const [{ now }] = await em.execute<[{ now: string }]>('select now()::text as now');
    const [id, email] = [newId(), `${newId()}@example.com`];
    const row = { id, email, name, passwordHash: await hashedPassword, emailVerifiedAt: null };
    await em.fork().insert(AccountTable, { ...row, createdAt: now, updatedAt: now, closesAt: null, closedAt: null });
    return { id, email };
  }

  /** A signed-in member of the workspace; its first admin if no role is given. */
  async person(place: Place, role?: Role): Promise<Person> {
    const { id: accountId, email } = await this.account(role);
    const membershipId = role === undefined ? place.membershipId : await this.workspaces.member(place, role);
    await this.workspaces.run(
      linkAccount,
      { membershipId, accountId },
      systemOrigin(place.workspaceId, 'runner', newId()),
    );
    const browser = this.browser();
    await browser.signIn(email, PASSWORD);
    const [session] = await new Sessions(this.workspaces.em).list(accountId);
    return { browser, accountId, membershipId, email, sessionId: session!.id };
  }

  /** Makes the person's last password entry older by this number of minutes. */
  async age({ sessionId }: Person, minutes: number): Promise<void> {
    await sql`update session set authenticated_at = authenticated_at - ${`${minutes} min`}::interval
      where id = ${sessionId}`.execute(this.workspaces.em.getKysely());
  }

  /** Sends a form with a password, and does `meanwhile` after its account was read and before the password is hashed. */
  async whileHashing(send: () => Promise<Page>, meanwhile: () => Promise<unknown>): Promise<Page> {
    const attempts = async (): Promise<number> => {
      const counted = sql<{ used: number }>`select coalesce(sum(used), 0)::int as used from sign_in_counter`;
      return (await counted.execute(this.workspaces.em.getKysely())).rows[0]!.used;
    };
    const before = await attempts();
    const queue = Array.from({ length: 30 }, () => hashPassword('the passwords of others'));
    const answer = send();
    // An attempt is counted between the two.
    await vi.waitUntil(async () => (await attempts()) > before, { interval: 5 });
    await meanwhile();
    await Promise.all(queue);
    return await answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stack.disposeAsync();
  }
}

const hashedPassword = hashPassword(PASSWORD);

let addresses = 0;

function newAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

function recordedIn(seen: Route[]): (routes: RoutePlugin) => RoutePlugin {
  return (routes) => (web) => async (app) => {
    app.addHook('onRoute', ({ method: asked, url }) => {
      const method = (['GET', 'POST'] as const).find((each) => each === asked);
      if (method) seen.push({ method, url });
    });
    await app.register(routes(web));
  };
}
