import { brokenBy, describe, type Losses } from '../namespaces/verdict.js';
import { plain, seconds } from '../table.js';

/** No request fails, or all succeed again so soon after the strike. */
export type Promised = 'nothing fails' | { wholeWithinMs: number };

/** One scene. */
export interface Played extends Losses {
  title: string;
  promised: Promised;
  ms: number;
  requests: number;
  failed: number;
  /** From the strike until the last request that failed was sent. */
  wholeMs: number;
}

/** From when on all requests succeeded, in ms after `from`: when the last one that failed was sent. */
export function wholeAfter(failedAt: readonly number[], from: number): number {
  return Math.max(0, ...failedAt.map((at) => at - from));
}

export function brokenIn({ promised, failed, wholeMs, ...losses }: Played): string[] {
  const late =
    promised !== 'nothing fails' &&
    wholeMs > promised.wholeWithinMs &&
    `requests failed for ${seconds(wholeMs)}, not ${seconds(promised.wholeWithinMs)}`;
  return brokenBy(losses, [promised === 'nothing fails' && failed > 0 && `${failed} requests failed`, late]);
}

export function describeScene(played: Played): string {
  const { title, requests, failed, ms, wholeMs } = played;
  const whole = failed === 0 ? '' : `, the last of them ${seconds(wholeMs)} after the strike`;
  const figures = `${requests} requests in ${seconds(ms)}, ${failed} failed${whole}`;
  return describe(title.padEnd(34), figures, brokenIn(played));
}

export function tableOf(all: readonly Played[]): string {
  const heads = ['', 'took', 'requests', 'failed', 'whole after', 'lost', 'paid twice', 'other findings'];
  const rows = all.map((each) => [
    each.title,
    seconds(each.ms),
    String(each.requests),
    String(each.failed),
    each.failed === 0 ? 'at once' : seconds(each.wholeMs),
    ...[each.lost, each.paidTwice, each.findings.length].map(String),
  ]);
  return plain({ title: 'The system on a Kubernetes of three nodes', heads, rows });
}
