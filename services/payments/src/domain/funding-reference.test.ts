import { expect, it } from 'vitest';
import { fundingReference } from './funding-reference.js';

it("a funding reference is the end of the workspace's id with ISO 11649 check digits", () => {
  const reference = fundingReference('0192b3c4-d5e6-7f01-8a2b-3c4d5e6f7081');
  expect(reference).toMatch(/^RF\d\d 8A2B 3C4D 5E6F 7081$/);
  const moved = reference.replaceAll(' ', '').replace(/^(....)(.*)$/, '$2$1');
  const digits = [...moved].map((letter) => Number.parseInt(letter, 36)).join('');
  expect(BigInt(digits) % 97n).toBe(1n);
});

it('a funding reference is stable and differs between workspaces', () => {
  const id = '0192b3c4-d5e6-7f01-8a2b-3c4d5e6f7081';
  expect(fundingReference(id)).toBe(fundingReference(id));
  expect(fundingReference(id.replace(/1$/, '2'))).not.toBe(fundingReference(id));
});
