import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Principal, Tenant } from '../stage/tenants.js';
import type { Piece } from '../stage/work.js';

export interface Answer {
  status: number;
  text: string;
  ms: number;
}

/** The facade answers within 10 s. */
const PATIENCE_MS = 11_000;

/** @returns status 0 if no answer arrives */
export async function call(url: string, key: string, request: RequestInit = {}): Promise<Answer> {
  const startedAt = performance.now();
  const headers = new Headers(request.headers);
  headers.set('authorization', `Bearer ${key}`);
  headers.set('content-type', 'application/json');
  try {
    const response = await fetch(url, { ...request, headers, signal: AbortSignal.timeout(PATIENCE_MS) });
    return { status: response.status, text: await response.text(), ms: performance.now() - startedAt };
  } catch {
    return { status: 0, text: '', ms: performance.now() - startedAt };
  }
}

/** The request of a write, the same each time it is sent. */
export function write(body: object, idempotencyKey: string = randomUUID()): RequestInit {
  return { method: 'POST', headers: { 'idempotency-key': idempotencyKey }, body: JSON.stringify(body) };
}

export function approvalOf({ kind, id, version }: Piece): [path: string, request: RequestInit] {
  return [`/${kind}s/${id}/approve`, write({ expectedVersion: version })];
}

/** Answers by kind of request. */
export class Answers {
  private readonly kinds = new Map<string, Answer[]>();

  note(kind: string, answer: Answer): Answer {
    this.kinds.set(kind, [...(this.kinds.get(kind) ?? []), answer]);
    return answer;
  }

  /** `list 420 (0 failed, slowest 0.1 s), …`. */
  get words(): string {
    const words = [...this.kinds].map(([kind, answers]) => {
      const failed = answers.filter(({ status }) => status === 0 || status >= 400).length;
      const slowest = Math.max(...answers.map(({ ms }) => ms)) / 1_000;
      return `${kind} ${answers.length} (${failed} failed, slowest ${slowest.toFixed(2)} s)`;
    });
    return words.join(', ');
  }
}

/** Reads, drafts and approves with every key, one request every few seconds, until the outage is over. */
export async function integrate(
  url: string,
  tenant: Tenant,
  { secret }: Principal,
  { isOver, answers, approved }: { isOver: () => boolean; answers: Answers; approved: (piece: Piece) => void },
): Promise<void> {
  while (!isOver()) {
    answers.note('lists', await call(`${url}/timesheets?limit=20`, secret));
    const piece = tenant.work.pop();
    if (piece) {
      answers.note('reads', await call(`${url}/${piece.kind}s/${piece.id}`, secret));
      const [path, request] = approvalOf(piece);
      const { status } = answers.note('approvals', await call(url + path, secret, request));
      if (status === 200) approved(piece);
    }
    answers.note('drafts', await call(`${url}/contracts`, secret, write({ title: 'Meanwhile' })));
    await pause(2_500);
  }
}
