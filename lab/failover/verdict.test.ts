import { describe, expect, it } from 'vitest';
import { SCENES } from './scenes.js';
import { backAfter, brokenIn, describeFailover, type Played, summaryOf, tableOf } from './verdict.js';

/** One acknowledgement every 100 ms. */
const acknowledged = (...spans: readonly (readonly [from: number, to: number])[]): number[] =>
  spans.flatMap(([from, to]) => Array.from({ length: (to - from) / 100 }, (_, n) => from + n * 100));

describe('writes are back', () => {
  it('at once without an interruption', () => {
    expect(backAfter(acknowledged([0, 60_000]), 10_000, 60_000)).toBe(0);
  });

  it('at the first acknowledgement after the interruption', () => {
    expect(backAfter(acknowledged([0, 10_000], [28_000, 60_000]), 10_000, 60_000)).toBe(18_000);
  });

  it('after the last of several interruptions', () => {
    expect(backAfter(acknowledged([0, 13_000], [20_000, 21_000], [35_000, 60_000]), 10_000, 60_000)).toBe(25_000);
  });

  it('at the first acknowledgement after the end of a silence that began before', () => {
    expect(backAfter(acknowledged([0, 10_000], [25_100, 60_000]), 25_000, 60_000)).toBe(100);
  });

  it('never if the interruption lasts until the end', () => {
    expect(backAfter(acknowledged([0, 10_000]), 10_000, 60_000)).toBe(50_000);
  });
});

const killed = SCENES.find(({ title }) => title === 'primary killed')!;
const kept: Played = { scene: killed, backMs: 19_000, unreplicated: 0, lost: 0, paidTwice: 0, findings: [] };

describe('a failover', () => {
  it('is fine if nothing is lost, and writes are back in time', () => {
    expect(brokenIn(kept)).toEqual([]);
    expect(describeFailover(kept)).toMatch(/^ok .*primary killed +writes back after 19\.0 s$/);
  });

  it.each([
    [{ backMs: 31_000 }, 'writes were back after 31.0 s, not 30.0 s'],
    [{ lost: 2 }, '2 acknowledged approvals are lost'],
    [{ paidTwice: 1 }, '1 pieces of work are paid twice'],
    [{ unreplicated: 3 }, '3 approvals were acknowledged while no standby could have them'],
    [{ findings: ['a 500'] }, 'a 500'],
  ])('with %j breaks a promise', (broken, sentence) => {
    const played = { ...kept, ...broken };
    expect(brokenIn(played)).toEqual([sentence]);
    expect(describeFailover(played)).toMatch(/^WRONG/);
  });
});

it('the table has the median and the maximum of each kind, and sums', () => {
  const all = [3_000, 1_000, 2_000, 9_000].map((backMs) => ({ ...kept, backMs, lost: 1 }));
  expect(tableOf(all)).toMatch(/primary killed +4 +2\.0 s +9\.0 s +4 +0 +0 +0\n/);
  expect(summaryOf(all, 100, 7)).toBe(
    '4 failovers, 100 approvals acknowledged, 7 retries: 4 lost, 0 paid twice; a promise was broken in 4',
  );
});
