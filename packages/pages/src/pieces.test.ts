import { expect, it } from 'vitest';
import { capped } from './pieces.js';

it.each([
  [0, '0'],
  [99, '99'],
  [100, '99+'],
])('%i is shown as %s', (n, said) => expect(capped(n)).toBe(said));
