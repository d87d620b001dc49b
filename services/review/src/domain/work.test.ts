import { describe, expect, it } from 'vitest';
import { paymentIdOf, readReason, requireVersion, versionOf } from './work.js';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';

it('a piece of work has the same payment id in every process, release and database generation', () => {
  expect(paymentIdOf('milestone', ID)).toBe('369b9ccd-6f52-8d92-8187-6c67e13be1ea');
  expect(paymentIdOf('timesheet', ID)).toBe('2d9de3f4-7d6f-8766-8701-f5dc089d2939');
});

describe('the version of a piece of work', () => {
  it('differs for every revision and resource, and matches the public format', () => {
    expect(versionOf(ID, 1)).not.toBe(versionOf(ID, 2));
    expect(versionOf(ID, 1)).not.toBe(versionOf(ID.replace(/7$/, '8'), 1));
    expect(versionOf(ID, 1)).toMatch(/^[\w-]{1,128}$/);
  });

  it('an outdated version is refused as stale', () => {
    expect(() => requireVersion({ id: ID, revision: 2 }, versionOf(ID, 2))).not.toThrow();
    expect(() => requireVersion({ id: ID, revision: 2 }, versionOf(ID, 1))).toThrow(
      expect.objectContaining({ code: 'STALE_RESOURCE_VERSION' }),
    );
  });
});

it('a reason is trimmed and must not be empty', () => {
  expect(readReason('  Wrong day ')).toBe('Wrong day');
  expect(readReason(` ${'x'.repeat(2_000)} `)).toHaveLength(2_000);
  for (const reason of ['', '  ', 'x'.repeat(2_001)]) {
    expect(() => readReason(reason)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }));
  }
});
