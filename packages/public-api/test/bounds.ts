// The extreme valid values of a field of each kind (public-api.md §1, §4).

/** Valid JSON texts, and invalid ones with the code of their refusal. */
export interface Bounds {
  fits: string[];
  wrong: [text: string, code: string][];
}

export const q = (text: string): string => JSON.stringify(text);
const OTHER_TYPES: Bounds['wrong'] = [
  ['null', 'invalid_type'],
  ['[]', 'invalid_type'],
  ['{}', 'invalid_type'],
];

export const text = (min: number, max?: number): Bounds => ({
  fits: ['é'.repeat(Math.max(min, 1)), ...(max ? ['😀'.repeat(max)] : ['x'.repeat(100_000)]), ...(min ? [] : [''])].map(
    q,
  ),
  wrong: [
    ...(max ? [[q('😀'.repeat(max + 1)), 'too_long'] as [string, string]] : []),
    ...(min > 0 ? [[q('é'.repeat(min - 1)), 'too_short'] as [string, string]] : []),
    [String.raw`"a\u0000"`, 'invalid_characters'],
    [String.raw`"\ud800a"`, 'invalid_characters'],
    ['5', 'invalid_type'],
    ...OTHER_TYPES,
  ],
});
export const words = (list: string): Bounds => ({
  fits: list.split(' ').map(q),
  wrong: [
    [q('nonsense'), 'invalid_value'],
    [q(list.split(' ')[0]!.toUpperCase()), 'invalid_value'],
    ['""', 'invalid_value'],
    ['5', 'invalid_type'],
    ...OTHER_TYPES,
  ],
});
export const day: Bounds = {
  fits: ['2028-02-29', '2000-02-29', '0001-01-01', '9999-12-31'].map(q),
  wrong: [
    ...['2027-02-29', '1900-02-29', '2026-04-31', '2026-13-01', '2026-1-1', '0000-01-01', ''].map(
      (each) => [q(each), 'invalid_format'] as [string, string],
    ),
    ['20280229', 'invalid_type'],
    ...OTHER_TYPES,
  ],
};
export const integer = (min: number): Bounds => ({
  fits: [`${min}`, `${min}.0`, '1e1', '2147483647'],
  wrong: [
    [`${min - 1}`, 'out_of_range'],
    ['2147483648', 'out_of_range'],
    ['1e400', 'out_of_range'],
    ['1.5', 'invalid_type'],
    ['1.00000000000000000001', 'invalid_type'],
    ['"5"', 'invalid_type'],
    ['true', 'invalid_type'],
    ...OTHER_TYPES,
  ],
});
export const above0: Bounds = {
  fits: ['0.01', '1e2', '1.10', '0.10000000000000000000000000000000001', '1e-38'],
  wrong: [
    ['0', 'out_of_range'],
    ['-0.0', 'out_of_range'],
    ['-1', 'out_of_range'],
    ['1e400', 'too_long'],
    ['12345678901234567890123456789012345678901', 'too_long'],
    ['"5"', 'invalid_type'],
    ...OTHER_TYPES,
  ],
};
export const from0: Bounds = {
  fits: ['0', '-0', '0.5'],
  wrong: [['-0.1', 'out_of_range'], ['"5"', 'invalid_type'], ...OTHER_TYPES],
};
export const percent: Bounds = {
  fits: ['0', '100', '12.5'],
  wrong: [...from0.wrong, ['100.00000000000000001', 'out_of_range']],
};
export const flag: Bounds = {
  fits: ['true', 'false'],
  wrong: [['"true"', 'invalid_type'], ['0', 'invalid_type'], ...OTHER_TYPES],
};
export const email: Bounds = {
  fits: [
    'a@example.com',
    "o'neil+x@sub.example.co.uk",
    `${'a'.repeat(64)}@${'b'.repeat(57)}.${'c'.repeat(63)}.${'d'.repeat(63)}.com`,
  ].map(q),
  wrong: [
    ...['', 'a', 'a@', '@b.com', 'a@b@c.com', 'a b@c.com'].map(
      (each) => [q(each), 'invalid_format'] as [string, string],
    ),
    [q(`${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(63)}.${'d'.repeat(63)}.com`), 'too_long'],
    ...OTHER_TYPES,
  ],
};
export const currency: Bounds = {
  fits: ['"EUR"', '"USD"'],
  wrong: [['"eur"', 'invalid_format'], ['"EU"', 'too_short'], ['"USDC"', 'too_long'], ...OTHER_TYPES],
};
export const texts: Bounds = {
  fits: ['[]', '["a", ""]'],
  wrong: [
    ['"a"', 'invalid_type'],
    ['null', 'invalid_type'],
    ['{}', 'invalid_type'],
  ],
};
export const ids: Bounds = {
  ...texts,
  fits: ['[]', '["00000000-0000-0000-0000-000000000000","018F4E5C-7A3B-8C1D-9E2F-0123456789AB"]'],
};
export const object: Bounds = {
  fits: [],
  wrong: [
    ['null', 'invalid_type'],
    ['[]', 'invalid_type'],
    ['"x"', 'invalid_type'],
  ],
};
export const list: Bounds = {
  fits: ['[]'],
  wrong: [
    ['null', 'invalid_type'],
    ['{}', 'invalid_type'],
    ['"x"', 'invalid_type'],
  ],
};
export const orNull = ({ fits, wrong }: Bounds): Bounds => ({
  fits: [...fits, 'null'],
  wrong: wrong.filter(([sent]) => sent !== 'null'),
});
