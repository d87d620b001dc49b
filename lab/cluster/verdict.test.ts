import { describe, expect, it } from 'vitest';
import { SCENES } from './scenes.js';
import { brokenIn, describeScene, type Played, tableOf, wholeAfter } from './verdict.js';

const promisedBy = (name: string) => SCENES.find((scene) => scene.name === name)!.promised;
const kept: Played = {
  title: 'a node cut off',
  promised: promisedBy('cut'),
  ms: 90_000,
  requests: 4_500,
  failed: 70,
  wholeMs: 43_000,
  lost: 0,
  paidTwice: 0,
  findings: [],
};

describe('all requests succeed again', () => {
  it('at once if none has failed', () => {
    expect(wholeAfter([], 10_000)).toBe(0);
  });

  it('once the last one that failed was sent', () => {
    expect(wholeAfter([10_500, 53_000, 12_000], 10_000)).toBe(43_000);
  });
});

describe('a scene', () => {
  it('keeps its promise if requests fail no longer than it allows', () => {
    expect(brokenIn(kept)).toEqual([]);
    expect(describeScene(kept)).toMatch(/^ok .*a node cut off .*70 failed, the last of them 43\.0 s after the strike$/);
  });

  it.each([
    [{ wholeMs: 61_000 }, 'requests failed for 61.0 s, not 60.0 s'],
    [{ promised: promisedBy('drain'), failed: 1 }, '1 requests failed'],
    [{ lost: 2 }, '2 acknowledged approvals are lost'],
    [{ paidTwice: 1 }, '1 pieces of work are paid twice'],
    [{ findings: ['a 500'] }, 'a 500'],
  ])('with %j breaks it', (broken, sentence) => {
    const played = { ...kept, ...broken };
    expect(brokenIn(played)).toEqual([sentence]);
    expect(describeScene(played)).toMatch(/^WRONG/);
  });
});

it('the table has a row for each scene', () => {
  const table = tableOf([kept, { ...kept, title: 'a node drained', failed: 0, wholeMs: 0 }]);
  expect(table).toMatch(/a node cut off +90\.0 s +4500 +70 +43\.0 s +0 +0 +0\n/);
  expect(table).toMatch(/a node drained +90\.0 s +4500 +0 +at once +0 +0 +0/);
});
