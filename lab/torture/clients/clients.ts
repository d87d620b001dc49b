import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, ApiClient, ApiRequest } from '../../v1.js';
import type { History, Intent } from '../history.js';
import type { System } from '../system/system.js';
import { approvalOf, type Tenant, type WorkItem, WorkQueue } from '../system/workspaces.js';

/** After these codes the request is sent again under the same key (public-api.md §7). */
const PASSING = new Set([
  ...['OPERATION_IN_PROGRESS', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR'],
  ...['NO_JSON', 'NO_CODE', 'NO_ANSWER'],
]);
const PAID_AT_ONCE_EVERY_MS = 400;
/** The share of failed tries after which a client gives up. */
const GIVES_UP = 0.02;

export type Reply = Pick<Answer, 'text' | 'code'> & Partial<Answer>;
export type Ended = { kind: 'ok'; body: string; from: number; at: number } | { kind: 'refused' | 'given up' };

interface Acknowledged {
  item: WorkItem;
  from: number;
  at: number;
}

/** The state that all clients of a run share. */
export class Clients {
  /** Stop: start no new intents, and finish those in progress. */
  isOver = false;
  /** Stop those too. */
  isGone = false;
  /** Incremented when a switch of databases begins and when it ends: readers start over. */
  epoch = 0;
  readonly tally = { approvals: 0, unknowns: 0, suppressed: 0, tries: 0 };
  readonly acknowledged: Acknowledged[] = [];
  private readonly open = new Set<Promise<void>>();
  private readonly queue = new WorkQueue(PAID_AT_ONCE_EVERY_MS);

  constructor(
    readonly system: System,
    readonly history: History,
    private readonly api: ApiClient,
    readonly random: () => number,
  ) {}

  /** A request to `/v1`; every answer is compared with openapi.json. */
  async send(key: string, request: ApiRequest): Promise<Answer> {
    const answer = await this.api.send(key, request);
    const about = `${request.method} ${request.path} ${answer.status}`;
    for (const fault of answer.faults)
      this.history.log({ type: 'improper', rule: 'documented', what: `${about}: ${fault}` });
    return answer;
  }

  /** The answer's body; undefined if it is no success. */
  async read<Body>(key: string, path: string, more: Partial<ApiRequest> = {}): Promise<Body | undefined> {
    const { status, text } = await this.send(key, { method: 'GET', path, ...more });
    return status === 200 ? (JSON.parse(text) as Body) : undefined;
  }

  take(tenant: Tenant): WorkItem | undefined {
    return this.queue.take(tenant);
  }

  /** Approves at `/v1`, with the key of someone in this role. */
  async approve(item: WorkItem, who: { secret: string; principalId: string; role: string; workspace?: string }) {
    const { secret, principalId: by, role, workspace = item.workspace } = who;
    const request = approvalOf(item);
    const key = request.idempotencyKey!;
    const intent = { does: 'approve', via: 'v1', workspace, about: item.id, key, by, role } as const;
    return await this.insist(intent, () => this.send(secret, request));
  }

  /** Sends until the answer is final, or the client gives up. */
  async insist(intent: Intent, send: () => Promise<Reply>): Promise<Ended> {
    for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, 2_000)) {
      const number = this.history.invoke(intent);
      const from = this.history.now;
      this.tally.tries += 1;
      const unanswered = (error: unknown): Reply => ({ text: String(error), code: 'NO_ANSWER' });
      const { text, code, retryAfterMs = 1_000 } = await send().catch(unanswered);
      if (code === undefined) {
        this.history.log({ type: 'ok', try: number, body: text });
        return { kind: 'ok', body: text, from, at: this.history.now };
      }
      if (PASSING.has(code)) {
        this.tally.unknowns += 1;
        this.history.log({ type: 'unknown', try: number, why: code === 'NO_ANSWER' ? text : code });
        if (this.isGone || this.random() < GIVES_UP) return { kind: 'given up' };
      } else {
        this.history.log({ type: 'refused', try: number, code });
        if (code !== 'RATE_LIMITED') return { kind: 'refused' };
        if (this.isGone) return { kind: 'given up' };
        await pause(retryAfterMs);
      }
      await pause(waitMs * (0.5 + this.random()));
    }
  }

  noteDecision(item: WorkItem, ended: Ended, does: Intent['does'] = 'approve'): void {
    if (ended.kind !== 'ok') return;
    if (does === 'approve') this.tally.approvals += 1;
    this.acknowledged.push({ item, from: ended.from, at: ended.at });
  }

  /** Until the run is over; with the pause of a person after each time. */
  async repeat(everyMs: number, work: () => Promise<unknown>): Promise<void> {
    while (!this.isOver) {
      await work();
      await this.think(everyMs);
    }
  }

  /** Runs work in parallel; the end of the run waits for it. */
  beside(work: () => Promise<void>): void {
    const doing = work().finally(() => this.open.delete(doing));
    this.open.add(doing);
  }

  async finished(): Promise<void> {
    while (this.open.size > 0) await Promise.all(this.open);
  }

  /** The pause of a person between two actions. */
  async think(ms: number): Promise<void> {
    await pause(ms * (0.5 + this.random()));
  }
}
