import { Secret, TOTP } from 'otpauth';
import { describe, expect, it, test } from 'vitest';
import { newRecoveryCodes, newTotpSecret, readCode, stepOf, totpUri } from './second-factor.js';

/** RFC 6238, appendix B: the key is the ASCII text, the codes are the last six of its eight digits. */
const RFC_SECRET = Secret.fromLatin1('12345678901234567890').base32;

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code of RFC 6238 at %d s is %s', (seconds, code) => {
  expect(stepOf(RFC_SECRET, code, new Date(seconds * 1_000))).toBe(Math.floor(seconds / 30));
});

describe('a code', () => {
  const now = new Date('2026-11-27T12:00:10Z');
  const step = Math.floor(now.getTime() / 30_000);
  const codeOf = (of: number): string =>
    TOTP.generate({ secret: Secret.fromBase32(RFC_SECRET), timestamp: of * 30_000 });

  it.each([
    [-2, null],
    [-1, step - 1],
    [0, step],
    [1, step + 1],
    [2, null],
  ])('of a clock that is %d steps off is of step %s', (off, expected) => {
    expect(stepOf(RFC_SECRET, codeOf(step + off), now)).toBe(expected);
  });

  it('is read with spaces and hyphens, and in small letters', () => {
    expect(readCode(' 123 456 ')).toEqual({ kind: 'totp', code: '123456' });
    expect(readCode('abcd-efgh-2345-wxyz')).toEqual({ kind: 'recovery', code: 'ABCDEFGH2345WXYZ' });
    for (const wrong of ['', '12345', '1234567', 'ABCD-EFGH-2345', 'ABCD-EFGH-2345-WXY1', '١٢٣٤٥٦']) {
      expect([wrong, readCode(wrong)]).toEqual([wrong, null]);
    }
  });
});

test('secrets have 160 bits and recovery codes 80, and none is made twice', () => {
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
  const codes = [...newRecoveryCodes(), ...newRecoveryCodes()];
  expect(new Set(codes).size).toBe(20);
  for (const code of codes) expect(readCode(code)).toMatchObject({ kind: 'recovery' });
});

test('the QR code names the account and the form of its codes', () => {
  const uri = new URL(totpUri(RFC_SECRET, 'ada@example.com'));
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/Payroll:ada@example.com',
  ]);
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({
    secret: RFC_SECRET,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
