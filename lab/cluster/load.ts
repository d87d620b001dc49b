import type { Tenant } from '../torture/stage/tenants.js';
import { Clients } from '../failover/clients.js';

const READS_A_SECOND = 30;
const PATIENCE_MS = 11_000;
const PATHS = ['/timesheets?limit=20', '/contracts?limit=20', '/payments?limit=20', '/balances'];

/** Requests at /v1, about fifty a second: twenty approvals, sent again until they are acknowledged, and thirty reads, sent once. */
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

  /** Of reads that were sent since then. */
  whyFailed(since: number): string[] {
    return this.failedReads.filter(({ at }) => at >= since).map(({ why }) => why);
  }

  private async read(): Promise<void> {
    const at = performance.now();
    const path = PATHS[this.reads % PATHS.length]!;
    const secret = this.secrets[this.reads++ % this.secrets.length]!;
    const why = await fetch(this.url + path, {
      headers: { authorization: `Bearer ${secret}` },
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).then(
      async (answer) => {
        const text = await answer.text();
        return answer.ok ? undefined : `${answer.status} ${text}`;
      },
      (error: unknown) => `${String(error)} ${String((error as Error).cause ?? '')}`,
    );
    if (why !== undefined) this.failedReads.push({ at, why: `${path}: ${why}` });
  }
}
