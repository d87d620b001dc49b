import { describe, expect, it } from 'vitest';
import { normalizeEmail, problemsOfPassword } from './account.js';

it.each([
  ['Ada@Example.COM', 'ada@example.com'],
  ['  ada@example.com\n', 'ada@example.com'],
  ['A\u0308da@example.com', '\u00e4da@example.com'],
])('the address %j is kept as %j', (typed, kept) => expect(normalizeEmail(typed)).toBe(kept));

describe('a password', () => {
  const codes = (password: string): string[] =>
    problemsOfPassword('password', password, ['ada.lovelace@northwind.example', 'Ada Lovelace']).map(
      ({ code }) => code,
    );

  it.each([
    'plum gravel teapot nine',
    'plum gravel tea',
    'Tr0ub4dor&3-and-more',
    'пароль из трёх слов',
    'p'.repeat(10) + 'lumgravel',
    'my password is hidden',
    'ada likes her password',
  ])('%s will do', (password) => expect(codes(password)).toEqual([]));

  it.each([
    ['', 'too_short'],
    ['fourteen chars', 'too_short'],
    ['x'.repeat(257), 'too_long'],
    ['with a nul \0 inside', 'invalid_characters'],
    ['passwordpassword', 'too_common'],
    ['PasswordPassword1', 'too_common'],
    ['password-password-12345', 'too_common'],
    ['123456789012345', 'too_common'],
    ['qwertyuiopasdfgh', 'too_common'],
    ['aaaaaaaaaaaaaaaaaaaa', 'too_common'],
    ['abababababababab', 'too_common'],
    ['lovelace-northwind-1', 'too_common'],
    ['ada.lovelace@northwind.example', 'too_common'],
    ['correct horse battery staple'.replaceAll(' ', ''), 'too_common'],
  ])('%j is %s', (password, code) => expect(codes(password)).toEqual([code]));
});
