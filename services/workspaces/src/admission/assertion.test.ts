import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { newId, SCOPES } from '@payroll/kernel';
import { expect, it } from 'vitest';
import { mintProof, readProof } from './assertion.js';

const newKey = (): KeyObject => createSecretKey(randomBytes(32));
const key = newKey();
const id = newId();
const now = new Date('2027-01-01T00:00:00Z');
const later = (ms: number): Date => new Date(now.getTime() + ms);
const proof = mintProof(key, id, SCOPES, now);

it('a proof is readable for its own connection and under its own key only', () => {
  expect(readProof(key, id, proof, now)).toEqual(SCOPES);
  expect(readProof(key, newId(), proof, now)).toBeNull();
  expect(readProof(newKey(), id, proof, now)).toBeNull();
});

it('a proof is valid for 60 seconds', () => {
  expect(readProof(key, id, proof, later(59_999))).not.toBeNull();
  expect(readProof(key, id, proof, later(60_000))).toBeNull();
});

it('a proof with any character changed, added or removed is invalid', () => {
  for (let at = 0; at <= proof.length; at++) {
    for (const char of ['A', 'B', '.', '']) {
      const altered = proof.slice(0, at) + char + proof.slice(at + 1);
      if (altered !== proof) expect(readProof(key, id, altered, now)).toBeNull();
    }
  }
});

it("an assertion fits into a question's length limit", () => {
  expect(proof.indexOf('.')).toBeLessThanOrEqual(400);
});
