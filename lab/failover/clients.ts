import { setTimeout as pause } from 'node:timers/promises';
import { fetchDocument } from '@payroll/tests/support/document';
import { Judge } from '@payroll/tests/support/judge';
import type { Tenant } from '../torture/stage/tenants.js';
import { type Answer, approvalOf, call } from '../torture/stage/v1.js';
import type { Piece } from '../torture/stage/work.js';

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
