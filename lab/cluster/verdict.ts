import { plain, seconds } from '../table.js';

/** No request fails, or all succeed again so soon after the strike. */
export type Promised = 'nothing fails' | { wholeWithinMs: number };

/** One scene and its traces. */
export interface Played {
  title: string;
  promised: Promised;
  ms: number;
  requests: number;
  failed: number;
  /** From the strike until the last request that failed was sent. */
  wholeMs: number;
  lost: number;
  paidTwice: number;
  /** Findings of reconcile, answers outside the contract, and requests that failed although none may. */
  findings: string[];
}

/** From when on all requests succeeded, in ms after `from`: when the last one that failed was sent. */
export function wholeAfter(failedAt: readonly number[], from: number): number {
  return Math.max(0, ...failedAt.map((at) => at - from));
}

export function brokenIn({ promised, failed, wholeMs, lost, paidTwice, findings }: Played): string[] {
  return [
    ...(lost > 0 ? [`${lost} acknowledged approvals are lost`] : []),
    ...(paidTwice > 0 ? [`${paidTwice} pieces of work are paid twice`] : []),
    ...(promised === 'nothing fails' && failed > 0 ? [`${failed} requests failed`] : []),
    ...(promised !== 'nothing fails' && wholeMs > promised.wholeWithinMs
      ? [`requests failed for ${seconds(wholeMs)}, not ${seconds(promised.wholeWithinMs)}`]
      : []),
    ...findings,
  ];
}

export function describe(played: Played): string {
  const broken = brokenIn(played);
  const { title, requests, failed, ms, wholeMs } = played;
  const whole = failed === 0 ? '' : `, the last of them ${seconds(wholeMs)} after the strike`;
  const first = `${broken.length === 0 ? 'ok    ' : 'WRONG '} ${title.padEnd(34)} ${requests} requests in ${seconds(ms)}, ${failed} failed${whole}`;
  return [first, ...broken.map((each) => `         ${each}`)].join('\n');
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
