import { request } from 'undici';
import type { Tenant } from '../torture/stage/tenants.js';
import { Clients } from '../failover/clients.js';

const READS_A_SECOND = 30;
const PATIENCE_MS = 11_000;
const PATHS = ['/timesheets?limit=20', '/contracts?limit=20', '/payments?limit=20', '/balances'];

/**
 * About fifty requests a second at /v1: twenty approvals over kept connections, each repeated until it is acknowledged, and thirty
 * reads, each sent once over a new connection.
 */
export class Load {
  /** When requests were sent that were not answered with a success; as `performance.now()` says. */
  readonly failedReads: { at: number; why: string }[] = [];
  private reads = 0;

  private constructor(
    readonly clients: Clients,
    private readonly url: string,
    private readonly secrets: readonly string[],
  ) {}

  static async of(url: string, tenants: readonly Tenant[]): Promise<Load> {
    const clients = await Clients.of(url, tenants);
    const secrets = tenants.flatMap(({ admins }) => admins.map(({ secret }) => secret));
    return new Load(clients, url, secrets);
  }

  start(): Disposable {
    this.clients.resume();
    const timer = setInterval(() => void this.read(), 1_000 / READS_A_SECOND);
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }

  get sent(): number {
    return this.reads + this.clients.acknowledged.length + this.clients.failedAt.length;
  }

  get failedAt(): number[] {
    return [...this.failedReads.map(({ at }) => at), ...this.clients.failedAt].toSorted((one, other) => one - other);
  }

  /** A line for each request that failed since then: when it was sent, and why if it was a read. */
  failuresSince(since: number): string {
    const approvals = this.clients.failedAt.map((at) => ({ at, why: 'an approval' }));
    return [...this.failedReads, ...approvals]
      .filter(({ at }) => at >= since)
      .toSorted((one, other) => one.at - other.at)
      .map(({ at, why }) => `${new Date(performance.timeOrigin + at).toISOString()} ${why}\n`)
      .join('');
  }

  /** The reasons of failed reads that were sent since then. */
  whyFailed(since: number): string[] {
    return this.failedReads.filter(({ at }) => at >= since).map(({ why }) => why);
  }

  private async read(): Promise<void> {
    const at = performance.now();
    const path = PATHS[this.reads % PATHS.length]!;
    const secret = this.secrets[this.reads++ % this.secrets.length]!;
    const why = await this.get(path, secret).catch((error: unknown) => String(error));
    if (why !== undefined) this.failedReads.push({ at, why: `${path}: ${why}` });
  }

  /** Over a connection of its own, as a new caller does. @returns why it failed */
  private async get(path: string, secret: string): Promise<string | undefined> {
    const headers = { authorization: `Bearer ${secret}` };
    const answer = await request(this.url + path, { headers, reset: true, signal: AbortSignal.timeout(PATIENCE_MS) });
    const text = await answer.body.text();
    return answer.statusCode === 200 ? undefined : `${answer.statusCode} ${text}`;
  }
}
