import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergePage, readPlace } from './trails.js';

interface Entry {
  id: string;
  at: string;
}

const entry = fc.record({
  id: fc.uuid(),
  at: fc.integer({ min: 0, max: 20 }).map((n) => `2026-11-01T00:00:00.${String(n).padStart(6, '0')}Z`),
});
const trails = fc.array(fc.uniqueArray(entry, { selector: ({ id }) => id, maxLength: 30 }), {
  minLength: 1,
  maxLength: 4,
});

const newestFirst = (one: Entry, other: Entry): number => (one.at + one.id < other.at + other.id ? 1 : -1);

/** A service's answer: the requested number of entries before a position. */
function answered(trail: readonly Entry[], limit: number, place: ReturnType<typeof readPlace>): Entry[] {
  const older = trail.filter(({ at, id }) => !place || at + id < place.before + place.beforeId);
  return older.toSorted(newestFirst).slice(0, limit);
}

it('pages of any size contain all entries of all trails once, in order, even if entries are added', () => {
  fc.assert(
    fc.property(trails, fc.integer({ min: 1, max: 7 }), (all, limit) => {
      const shown: Entry[] = [];
      let place: ReturnType<typeof readPlace> = null;
      for (let n = 0; ; n++) {
        const later = {
          id: `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`,
          at: '2026-12-01T00:00:00.000000Z',
        };
        const asked = all.map((trail) => answered(n === 0 ? trail : [...trail, later], limit + 1, place));
        const { entries, next } = mergePage(asked, limit);
        shown.push(...entries);
        if (next === null) break;
        place = readPlace(next);
        expect(place).not.toBeNull();
      }
      expect(shown).toEqual(all.flat().toSorted(newestFirst));
    }),
  );
});

it.each([undefined, '', '2026-11-01T00:00:00.000001Z', '2026-11-01_x', 'x_019a8c10-5d2e-7f61-b3a4-9e07c1d58203'])(
  '%j is not a position',
  (text) => {
    expect(readPlace(text)).toBeNull();
  },
);
