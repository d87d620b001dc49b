import { setTimeout as pause } from 'node:timers/promises';
import { fetchDocument } from '@payroll/tests/support/document';
import { Judge } from '@payroll/tests/support/judge';
import { request } from 'undici';
import type { Piece, Tenant } from '../torture/system/workspaces.js';
import { type Answer, approvalOf, call } from '../torture/v1.js';

const APPROVALS_A_SECOND = 20;
/** Payouts keep up with one approval of this many that is paid at once. */
const PAID_AT_ONCE_EVERY_MS = 500;

export interface Acknowledged {
  piece: Piece;
  paymentId: string;
  /** As `performance.now()` says. */
  at: number;
}

/** Integrators of all workspaces, who approve work and send each approval again under its key until it is acknowledged. */
export class Clients {
  readonly acknowledged: Acknowledged[] = [];
  /** Answers that the contract does not allow. */
  readonly improper: string[] = [];
  /** When requests were sent that had no success, and were sent again; as `performance.now()` says. */
  readonly failedAt: number[] = [];
  private isPaused = true;
  private underWay = 0;
  private paidAtOnceAt = 0;

  private constructor(
    private readonly url: string,
    private readonly faultsOf: (answer: Answer, kind: Piece['kind']) => string[],
  ) {}

  static async of(url: string, tenants: readonly Tenant[]): Promise<Clients> {
    const document = await fetchDocument(url);
    const judge = new Judge(document);
    const clients = new Clients(url, (answer, kind) =>
      judge.faultsOf(document.operation('POST', `/${kind}s/{id}/approve`), answer),
    );
    const principals = tenants.flatMap((tenant) => tenant.admins.map(({ secret }) => ({ tenant, secret })));
    const everyMs = (1_000 * principals.length) / APPROVALS_A_SECOND;
    for (const { tenant, secret } of principals) void clients.work(tenant, secret, everyMs);
    return clients;
  }

  resume(): void {
    this.isPaused = false;
  }

  /** Resolves once every approval that was sent is acknowledged. */
  async pause(): Promise<void> {
    this.isPaused = true;
    while (this.underWay > 0) await pause(50);
  }

  private async work(tenant: Tenant, secret: string, everyMs: number): Promise<never> {
    await pause(everyMs * Math.random());
    for (;;) {
      const piece = this.isPaused ? undefined : this.take(tenant);
      if (piece !== undefined) {
        this.underWay += 1;
        await this.insist(piece, secret);
        this.underWay -= 1;
      }
      // From 0 on, so that clients who were all acknowledged after an outage do not all pause at once.
      await pause(everyMs * 2 * Math.random());
    }
  }

  private take({ work }: Tenant): Piece | undefined {
    // Otherwise it would look as if writes were not back.
    if (work.length === 0) throw new Error('everything is approved: more pieces have to be handed in');
    const mayBePaid = performance.now() - this.paidAtOnceAt > PAID_AT_ONCE_EVERY_MS;
    const place = work.findLastIndex(({ isPaidAtOnce }) => isPaidAtOnce === mayBePaid);
    // -1 takes the last one, of the other kind.
    const [piece] = work.splice(place, 1);
    if (piece?.isPaidAtOnce) this.paidAtOnceAt = performance.now();
    return piece;
  }

  private async insist(piece: Piece, secret: string): Promise<void> {
    const [path, request] = approvalOf(piece);
    for (;;) {
      const sentAt = performance.now();
      const answer = await call(this.url + path, secret, request);
      this.judge(piece, path, answer);
      if (answer.status === 200) {
        const { paymentId } = JSON.parse(answer.text) as { paymentId: string };
        this.acknowledged.push({ piece, paymentId, at: performance.now() });
        return;
      }
      this.failedAt.push(sentAt);
      await pause(1_000 * Number(answer.headers.get('retry-after') ?? 1) * (1 + Math.random()));
    }
  }

  /** In an outage the contract has two answers beside the success: the part is down, or the key is being worked on. */
  private judge({ kind }: Piece, path: string, answer: Answer): void {
    const { status, text, ms } = answer;
    if (status === 0) return void this.improper.push(`${path}: no answer after ${Math.round(ms)} ms (${text})`);
    const faults = this.faultsOf(answer, kind);
    const isAllowed = [200, 429, 503].includes(status) || text.includes('"OPERATION_IN_PROGRESS"');
    if (faults.length === 0 && !isAllowed) faults.push(text);
    this.improper.push(...faults.map((fault) => `${path}: ${status}, ${fault}`));
  }
}

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
