import { expect, it } from 'vitest';
import { fundingReference } from './funding-reference.js';

it('names the workspace by the end of its id, with the check digits of ISO 11649', () => {
  const reference = fundingReference('0192b3c4-d5e6-7f01-8a2b-3c4d5e6f7081');
  expect(reference).toMatch(/^RF\d\d 8A2B 3C4D 5E6F 7081$/);
  const moved = reference.replaceAll(' ', '').replace(/^(....)(.*)$/, '$2$1');
  const digits = [...moved].map((letter) => Number.parseInt(letter, 36)).join('');
  expect(BigInt(digits) % 97n).toBe(1n);
});

it('is the same each time, and another one for another workspace', () => {
  const id = '0192b3c4-d5e6-7f01-8a2b-3c4d5e6f7081';
  expect(fundingReference(id)).toBe(fundingReference(id));
  expect(fundingReference(id.replace(/1$/, '2'))).not.toBe(fundingReference(id));
});
