import { brokenBy, describe, type Losses } from '../namespaces/verdict.js';
import { plain, seconds } from '../table.js';
import type { Scene } from './scenes.js';

/** A pause of all clients that is longer than usual at twenty approvals a second. */
const INTERRUPTION_MS = 1_500;

/** One failover. */
export interface Played extends Losses {
  scene: Scene;
  /** From the strike, or its end, until writes were back and stayed. */
  backMs: number;
  /** Acknowledgements while no server but the primary could have the write. */
  unreplicated: number;
}

/**
 * When writes were back and stayed: the end of the last interruption between two acknowledgements, in ms after `from`; 0 without an
 * interruption.
 * @param acknowledgedAt in their order
 */
export function backAfter(acknowledgedAt: readonly number[], from: number, until: number): number {
  let last = acknowledgedAt.findLast((at) => at <= from) ?? from;
  let back = 0;
  for (const at of [...acknowledgedAt.filter((each) => each > from && each < until), until]) {
    if (at - last > INTERRUPTION_MS) back = at - from;
    last = at;
  }
  return back;
}

export function brokenIn({ scene, backMs, unreplicated, ...losses }: Played): string[] {
  return brokenBy(losses, [
    unreplicated > 0 && `${unreplicated} approvals were acknowledged while no standby could have them`,
    backMs > scene.withinMs && `writes were back after ${seconds(backMs)}, not ${seconds(scene.withinMs)}`,
  ]);
}

export function describeFailover(played: Played): string {
  const back = played.backMs === 0 ? 'writes were not interrupted' : `writes back after ${seconds(played.backMs)}`;
  return describe(played.scene.title.padEnd(30), back, brokenIn(played));
}

export function tableOf(all: readonly Played[]): string {
  const rows = [...Map.groupBy(all, ({ scene }) => scene.title)].map(([title, played]) => rowOf(title, played));
  const heads = ['', 'times', 'back p50', 'back max', 'lost', 'paid twice', 'unreplicated', 'other findings'];
  return plain({ title: 'Failovers of Postgres', heads, rows: [...rows, rowOf('all', all)] });
}

function rowOf(title: string, played: readonly Played[]): string[] {
  const back = played.map(({ backMs }) => backMs).toSorted((one, other) => one - other);
  const times = [seconds(back[Math.ceil(back.length / 2) - 1]!), seconds(back.at(-1)!)];
  const sums = [
    total(played, ({ lost }) => lost),
    total(played, ({ paidTwice }) => paidTwice),
    total(played, ({ unreplicated }) => unreplicated),
    total(played, ({ findings }) => findings.length),
  ];
  return [title, String(played.length), ...times, ...sums.map(String)];
}

export function summaryOf(all: readonly Played[], approvals: number, retries: number): string {
  const broken = all.filter((each) => brokenIn(each).length > 0).length;
  const money = `${total(all, ({ lost }) => lost)} lost, ${total(all, ({ paidTwice }) => paidTwice)} paid twice`;
  const end = broken === 0 ? 'every promise was kept' : `a promise was broken in ${broken}`;
  return `${all.length} failovers, ${approvals} approvals acknowledged, ${retries} retries: ${money}; ${end}`;
}

function total(all: readonly Played[], of: (played: Played) => number): number {
  return all.reduce((sum, each) => sum + of(each), 0);
}
