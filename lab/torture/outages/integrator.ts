import { setTimeout as pause } from 'node:timers/promises';
import type { Principal, Tenant } from '../stage/tenants.js';
import { type Answer, approvalOf, call, write } from '../stage/v1.js';
import type { Piece } from '../stage/work.js';

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
