import { expect, it } from 'vitest';
import { isCountry } from './country.js';

it.each(['NL', 'US', 'GB', 'TW', 'XK', 'SS', 'AX'])('%s is a country', (code) => expect(isCountry(code)).toBe(true));

it.each(['QQ', 'XX', 'ZZ', 'EU', 'UN', 'DD', 'SU', 'YU', 'UK', 'nl', 'N', 'NLD', '', '12', 'A1'])(
  '%j is not a country',
  (code) => expect(isCountry(code)).toBe(false),
);
