import { createSecretKey, randomBytes } from 'node:crypto';
import type { ConnectionResponse } from '@payroll/admission';
import { newId, type Role } from '@payroll/kernel';
import { createLog, type Log } from '@payroll/runtime';
import { sql } from 'kysely';
import { hashPassword } from '../../src/accounts/passwords.js';
import { SecondFactors } from '../../src/accounts/second-factor.js';
import { Sessions } from '../../src/accounts/sessions.js';
import { handleConnectionAdmission, type ConnectionAdmissionOptions } from '../../src/admission/handle-connections.js';
import { AuthorizationServer, type AuthorizationServerOptions } from '../../src/oauth/authorization-server.js';
import { consentPages } from '../../src/oauth/consent/consent-pages.js';
import { oauthEndpoints } from '../../src/oauth/endpoints.js';
import type { OauthSettings } from '../../src/oauth/settings.js';
import { AccountTable } from '../../src/store/account-tables.js';
import { createWeb, pages } from '../../src/web/create-web.js';
import type { WebDependencies } from '../../src/web/account-context.js';
import { Browser } from '../pages/browser.js';
import { NO_BUS, SECOND_FACTOR_KEY, Workspaces, type Place } from '../support.js';

export const MCP_URL = 'https://mcp.example/mcp';
export const PASSWORD = 'plum gravel teapot nine';

/** A person with an account, in one or several workspaces. */
export interface Person {
  accountId: string;
  email: string;
  memberships: { workspaceId: string; membershipId: string }[];
}

export interface Surroundings {
  metadata?: AuthorizationServerOptions['metadata'];
  log?: Log;
}

/** One process of the public server, including the authorization server. */
export class Process implements AsyncDisposable {
  private constructor(
    readonly origin: string,
    readonly server: AuthorizationServer,
    readonly web: WebDependencies,
    readonly dispose: () => Promise<unknown>,
  ) {}

  static async start(
    { em, commands }: Workspaces,
    change: Partial<OauthSettings> = {},
    { metadata = {}, log = createLog('workspaces', 'fatal') }: Surroundings = {},
  ): Promise<Process> {
    const settings: OauthSettings = {
      issuer: '',
      mcpUrl: MCP_URL,
      secret: SECRET,
      metadataRanges: [],
      outside: null,
      ...change,
    };
    const web = {
      deployment: 'test' as const,
      listenHost: '127.0.0.1',
      listenPort: 0,
      origin: '',
      restUrl: 'https://api.example/v1',
      mcpUrl: MCP_URL,
    };
    const webSettings = { ...web, trustedProxies: ['127.0.0.1'] };
    const server = new AuthorizationServer({ em, settings, log, metadata });
    const own: WebDependencies = {
      settings: webSettings,
      em,
      commands,
      bus: NO_BUS,
      log,
      sessions: new Sessions(em),
      secondFactors: new SecondFactors(em, [SECOND_FACTOR_KEY]),
      mailer: null,
    };
    const app = await createWeb(
      own,
      {
        pages: [...pages, consentPages(server)],
        endpoints: [oauthEndpoints(server)],
      },
      () => Promise.resolve([]),
    );
    const listening = await app.listen({ host: '127.0.0.1', port: 0 });
    const origin = change.issuer ?? listening;
    Object.assign(settings, { issuer: origin });
    Object.assign(webSettings, { origin });
    return new Process(listening, server, own, () => app.close());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }
}

export const SECRET = createSecretKey(randomBytes(32));

/** The database, one process, and people. */
export class Scene implements AsyncDisposable {
  private constructor(
    readonly workspaces: Workspaces,
    readonly process: Process,
    private readonly stack: AsyncDisposableStack,
  ) {}

  static async open(
    database: string,
    ...how: [change?: Partial<OauthSettings>, surroundings?: Surroundings]
  ): Promise<Scene> {
    await using opening = new AsyncDisposableStack();
    const workspaces = opening.use(await Workspaces.open(database));
    const process = opening.use(await Process.start(workspaces, ...how));
    return new Scene(workspaces, process, opening.move());
  }

  /** Adds another process that serves some of the paths; it is closed first. */
  join(other: AsyncDisposable & { besides: (path: string) => string | undefined }): void {
    this.stack.use(other);
    this.besides = other.besides;
  }

  private besides: (path: string) => string | undefined = () => undefined;

  get issuer(): string {
    return this.process.origin;
  }

  /** As if all codes and refresh tokens had been used earlier, by `seconds`. */
  async ageUses(seconds: number): Promise<void> {
    const earlier = sql`consumed_at - make_interval(secs => ${seconds})`;
    await sql`update oauth_artifact set consumed_at = ${earlier}`.execute(this.workspaces.em.getKysely());
  }

  /** Creates a person with a role in each of the given workspaces. */
  async person(...roles: [place: Place, role: Role][]): Promise<Person> {
    const accountId = newId();
    const email = `${accountId}@example.com`;
    const { em } = this.workspaces;
    const [{ now }] = await em.execute<[{ now: string }]>('select now()::text as now');
    const row = { id: accountId, email, name: 'Ada Admin', passwordHash: await HASH, emailVerifiedAt: null };
    await em.fork().insert(AccountTable, { ...row, createdAt: now, updatedAt: now, closesAt: null, closedAt: null });
    const memberships: Person['memberships'] = [];
    for (const [place, role] of roles) {
      const membershipId = await this.workspaces.member(place, role);
      await sql`update membership set account_id = ${accountId} where id = ${membershipId}`.execute(em.getKysely());
      memberships.push({ workspaceId: place.workspaceId, membershipId });
    }
    return { accountId, email, memberships };
  }

  browser(process = this.process): Browser {
    const address = `192.0.2.${Math.ceil(Math.random() * 250)}`;
    return new Browser(process.origin, { 'x-forwarded-for': address }, this.besides);
  }

  async signedIn(person: Person, process = this.process): Promise<Browser> {
    const browser = this.browser(process);
    await browser.signIn(person.email, PASSWORD);
    return browser;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stack.disposeAsync();
  }
}

const HASH = hashPassword(PASSWORD);

/** Asks about one access token, as the MCP server does. */
export async function askAbout(
  options: ConnectionAdmissionOptions,
  accessToken: string,
  clientAddress = `2001:db8:0:${newId().slice(-4)}::1`,
): Promise<ConnectionResponse> {
  const [answer] = await handleConnectionAdmission(options, [{ accessToken, clientAddress }]);
  return answer!;
}

export const codeOf = (answer: ConnectionResponse): string => ('admitted' in answer ? 'admitted' : answer.refused.code);
