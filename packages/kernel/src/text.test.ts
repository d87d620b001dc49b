import { describe, expect, it } from 'vitest';
import { enteredText, isCountry, isEmail, nameProblem, textProblem } from './index.js';

describe('textProblem', () => {
  it.each([
    ['', 0, null],
    ['', 1, 'too_short'],
    ['abc', 1, null],
    ['abcd', 1, 'too_long'],
    ['😀😀😀', 1, null],
    ['a\0', 1, 'invalid_characters'],
    ['a\ud800', 1, 'invalid_characters'],
  ])('%j of at least %i and at most 3 code points: %s', (text, minLength, problem) => {
    expect(textProblem(text, minLength, 3)).toBe(problem);
  });
});

it('an entered text is trimmed and must not be empty', () => {
  expect(enteredText('name', '  Wage tax ', 8)).toBe('Wage tax');
  const refused = (code: string) =>
    expect.objectContaining({ code: 'VALIDATION_FAILED', details: [{ path: 'name', code }] });
  expect(() => enteredText('name', ' Wage tax!', 8)).toThrow(refused('too_long'));
  expect(() => enteredText('name', '   ', 8)).toThrow(refused('too_short'));
});

it.each([
  ['Ada', null],
  ['', 'too_short'],
  [' \t', 'too_short'],
  ['\u200b\u00a0', 'too_short'],
  ['\u3164', 'too_short'],
  ['👩‍🎨', null],
  ['n'.repeat(200), null],
  ['n'.repeat(201), 'too_long'],
  ['a\0b', 'invalid_characters'],
  ['Ada\nLovelace', 'invalid_characters'],
  ['Ada\u2028Lovelace', 'invalid_characters'],
  ['Ada\u202eLovelace', 'invalid_characters'],
  ['Zoë O’Neill-Nuñez 王', null],
])('the name %j: %s', (name, problem) => expect(nameProblem(name)).toBe(problem));

it.each([
  ['ada@example.com', true],
  ['ada@example', false],
  ['ada example@x.y', false],
  ['a\0da@example.com', false],
  [`${'a'.repeat(64)}@example.com`, true],
  [`${'a'.repeat(65)}@example.com`, false],
  [`ada@${'a.'.repeat(125)}com`, false],
  ['ada.o+payroll@mail.example.co.uk', true],
  ['ceo＠northwind.example<attacker@evil.example>', false],
  ['<attacker@evil.example>', false],
  ['ceo@northwind.example,attacker@evil.example', false],
  ['ceo;attacker@evil.example', false],
  ['"ceo@northwind.example"@evil.example', false],
  ['ceo(northwind)@evil.example', false],
  ['ceo:attacker@evil.example', false],
  ['ada@ex ample.com', false],
  ['ada@-example.com', false],
  ['ada@example.com.', false],
  ['ada..o@example.com', false],
  ['ådå@example.com', false],
  ['ada@exämple.com', false],
  ['ada@example.com\nbcc: x@evil.example', false],
])('%j is an address: %s', (text, is) => expect(isEmail(text)).toBe(is));

it.each(['NL', 'US', 'GB', 'TW', 'XK', 'SS', 'AX'])('%s is a country', (code) => expect(isCountry(code)).toBe(true));

it.each(['QQ', 'XX', 'ZZ', 'EU', 'UN', 'DD', 'SU', 'YU', 'UK', 'nl', 'N', 'NLD', '', '12', 'A1'])(
  '%j is not a country',
  (code) => expect(isCountry(code)).toBe(false),
);
