import { setTimeout as pause } from 'node:timers/promises';
import { fetchDocument } from '@payroll/tests/support/document';
import { request } from 'undici';
import { approvalOf, type Tenant, type WorkItem, WorkQueue } from '../torture/system/workspaces.js';
import { until } from '../until.js';
import { type Answer, ApiClient } from '../v1.js';

const APPROVALS_A_SECOND = 20;
const PAID_AT_ONCE_EVERY_MS = 500;

interface Acknowledged {
  item: WorkItem;
  paymentId: string;
  /** As `performance.now()` says. */
  at: number;
}

/** Integrators of all workspaces, who approve work and send each approval again under its key until it is acknowledged. */
export class Approvals {
  readonly acknowledged: Acknowledged[] = [];
  /** Answers that the contract does not allow. */
  readonly improper: string[] = [];
  /** When requests were sent that had no success, and were sent again; as `performance.now()` says. */
  readonly failedAt: number[] = [];
  private isPaused = true;
  private underWay = 0;
  private readonly queue = new WorkQueue(PAID_AT_ONCE_EVERY_MS);

  private constructor(private readonly api: ApiClient) {}

  static async at(url: string, tenants: readonly Tenant[]): Promise<Approvals> {
    const approvals = new Approvals(new ApiClient([url], await fetchDocument(url)));
    const principals = tenants.flatMap((tenant) => tenant.admins.map(({ secret }) => ({ tenant, secret })));
    const everyMs = (1_000 * principals.length) / APPROVALS_A_SECOND;
    for (const { tenant, secret } of principals) void approvals.work(tenant, secret, everyMs);
    return approvals;
  }

  resume(): void {
    this.isPaused = false;
  }

  /** Resolves once every approval that was sent is acknowledged. */
  async pause(): Promise<void> {
    this.isPaused = true;
    await until(() => this.underWay === 0, { everyMs: 50 });
  }

  private async work(tenant: Tenant, secret: string, everyMs: number): Promise<never> {
    await pause(everyMs * Math.random());
    for (;;) {
      // Otherwise it would look as if writes were not back.
      if (tenant.work.length === 0) throw new Error('everything is approved: more work has to be submitted');
      const item = this.isPaused ? undefined : this.queue.take(tenant);
      if (item !== undefined) {
        this.underWay += 1;
        await this.insist(item, secret);
        this.underWay -= 1;
      }
      // From 0 on, so that clients who were all acknowledged after an outage do not all pause at once.
      await pause(everyMs * 2 * Math.random());
    }
  }

  private async insist(item: WorkItem, secret: string): Promise<void> {
    const approval = approvalOf(item);
    for (;;) {
      const sentAt = performance.now();
      const answer = await this.api.send(secret, approval);
      this.judge(`${item.kind} ${item.id}`, answer);
      if (answer.status === 200) {
        const { paymentId } = JSON.parse(answer.text) as { paymentId: string };
        this.acknowledged.push({ item, paymentId, at: performance.now() });
        return;
      }
      this.failedAt.push(sentAt);
      await pause((answer.retryAfterMs ?? 1_000) * (1 + Math.random()));
    }
  }

  /** In an outage the contract has two answers beside the success: the part is down, or the key is being worked on. */
  private judge(about: string, { status, text, code, ms, faults }: Answer): void {
    if (status === 0) return void this.improper.push(`${about}: no answer after ${Math.round(ms)} ms (${text})`);
    const isAllowed = [200, 429, 503].includes(status) || code === 'OPERATION_IN_PROGRESS';
    const all = faults.length > 0 || isAllowed ? faults : [text];
    this.improper.push(...all.map((fault) => `${about}: ${status}, ${fault}`));
  }
}

const READS_A_SECOND = 30;
const PATIENCE_MS = 11_000;
const PATHS = ['/timesheets?limit=20', '/contracts?limit=20', '/payments?limit=20', '/balances'];

/** Thirty reads a second at `/v1`, each sent once over a new connection, as new callers do. */
export class Reads implements Disposable {
  sent = 0;
  readonly failed: { at: number; why: string }[] = [];
  private readonly secrets: readonly string[];
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly url: string,
    tenants: readonly Tenant[],
  ) {
    this.secrets = tenants.flatMap(({ admins }) => admins.map(({ secret }) => secret));
    this.timer = setInterval(() => void this.read(), 1_000 / READS_A_SECOND);
  }

  [Symbol.dispose](): void {
    clearInterval(this.timer);
  }

  private async read(): Promise<void> {
    const at = performance.now();
    const path = PATHS[this.sent % PATHS.length]!;
    const headers = { authorization: `Bearer ${this.secrets[this.sent++ % this.secrets.length]}` };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const answering = request(this.url + path, { headers, reset: true, signal }).then(async ({ statusCode, body }) => {
      const text = await body.text();
      return statusCode === 200 ? undefined : `${statusCode} ${text}`;
    });
    const why = await answering.catch(String);
    if (why !== undefined) this.failed.push({ at, why: `${path}: ${why}` });
  }
}
