import { createHash } from 'node:crypto';
import { isId } from '@payroll/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hashProof,
  newApiKey,
  newInternalToken,
  parseApiKey,
  parseAssertion,
  parseInternalToken,
  whyNoApiKey,
  whyNoInternalToken,
  writeAssertion,
} from './credentials.js';

const bearer = (text: string): string => `Bearer ${text}`;

describe('an API key', () => {
  it('reads back as its id and a proof whose hash is the stored one', () => {
    for (let n = 0; n < 200; n++) {
      const key = newApiKey('test');
      const credential = parseApiKey(bearer(key.text), 'test');
      expect(credential).toMatchObject({ kind: 'api_key', id: key.id });
      expect(isId(credential?.id)).toBe(true);
      expect(hashProof(credential!.proof)).toBe(key.hash);
    }
  });

  it('is valid in one environment only', () => {
    expect(parseApiKey(bearer(newApiKey('live').text), 'test')).toBeNull();
    expect(parseApiKey(bearer(newApiKey('test').text), 'live')).toBeNull();
    expect(parseApiKey(bearer(newApiKey('live').text), 'live')).not.toBeNull();
  });

  it('with one character changed is refused without a request', () => {
    const { text } = newApiKey('test');
    const body = text.length - 'sk_test_'.length;
    fc.assert(
      fc.property(
        fc.nat(body - 1),
        fc.constantFrom(...'0123456789abcdefghijklmnopqrstuvwxyz_-A'.split('')),
        (at, char) => {
          const place = 'sk_test_'.length + at;
          if (text[place] === char) return;
          expect(parseApiKey(bearer(text.slice(0, place) + char + text.slice(place + 1)), 'test')).toBeNull();
        },
      ),
    );
  });

  it('does not contain its secret in the stored or the transmitted form', () => {
    const key = newApiKey('test');
    const secret = /_([0-9a-z]{50})[0-9a-z]{7}$/.exec(key.text)![1]!;
    const { proof } = parseApiKey(bearer(key.text), 'test')!;
    expect(proof).toBe(createHash('sha256').update(secret).digest('base64url'));
    expect(`${key.hash} ${proof}`).not.toContain(secret);
    // The stored hash cannot be presented, because its own hash differs.
    expect(hashProof(key.hash)).not.toBe(key.hash);
  });

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Basic abc',
    'bearer x y',
    'Bearer sk_test_',
    `Bearer ${'0'.repeat(90)}`,
  ])('is not found in the header %j', (header) => {
    expect(parseApiKey(header, 'test')).toBeNull();
  });

  it('is found with any case of the scheme (RFC 9110)', () => {
    expect(parseApiKey(`bEARER ${newApiKey('test').text}`, 'test')).not.toBeNull();
  });
});

describe('the reason why a header is refused', () => {
  const cut = newApiKey('test').text.slice(0, -1);
  it.each<[string | undefined, string]>([
    [undefined, 'Authorization is missing. Send "Authorization: Bearer sk_test_…"'],
    ['', 'is missing'],
    ['Basic abc', 'not of the scheme Bearer'],
    [newApiKey('test').text, 'not of the scheme Bearer'],
    ['Bearer', 'one credential after "Bearer "'],
    ['Bearer a b', 'one credential after "Bearer "'],
    [bearer(newApiKey('live').text), 'a key of a live deployment, and here is a test one'],
    [bearer(`x${newApiKey('live').text}`), 'cut off or changed'],
    [bearer('x_it_'), 'cut off or changed'],
    [bearer('x_ca_'), 'cut off or changed'],
    [bearer(cut), 'begins with sk_test_ and has 91 characters'],
    [bearer(newInternalToken().text), 'for the internal endpoint'],
    [bearer('ca_x'), 'assertion'],
  ])('for %j explains how to send the key', (header, words) => {
    expect(whyNoApiKey(header, 'test')).toContain(words);
    expect(parseApiKey(header, 'test')).toBeNull();
  });

  it('names the deployment of a test key that is sent to a live one', () => {
    const said = whyNoApiKey(bearer(newApiKey('test').text), 'live');
    expect(said).toContain('a key of a test deployment, and here is a live one: its keys begin with sk_live_');
    expect(whyNoApiKey(bearer(newApiKey('live').text), 'live')).toContain('begins with sk_live_ and has 91');
    expect(whyNoInternalToken(bearer('x_sk_'))).toContain('cut off or changed');
  });

  it('is given for internal tokens too, and never repeats the credential', () => {
    const { text } = newApiKey('test');
    expect(whyNoInternalToken(bearer(text))).toContain('This is an API key');
    expect(whyNoInternalToken(undefined)).toContain('is missing');
    expect(whyNoInternalToken(bearer('it_x'))).toContain('cut off or changed');
    for (const said of [whyNoInternalToken(bearer(text)), whyNoApiKey(bearer(cut), 'live')]) {
      expect(said).not.toContain(text.slice(8, -1));
    }
  });

  it("states a key's length", () => {
    expect(newApiKey('live').text).toHaveLength(91);
  });
});

it('an internal token and an API key are not accepted for each other', () => {
  expect(parseInternalToken(bearer(newApiKey('test').text))).toBeNull();
  expect(parseApiKey(bearer(newInternalToken().text), 'test')).toBeNull();
  expect(parseInternalToken(bearer(newInternalToken().text))).toMatchObject({ kind: 'token' });
});

describe('an assertion', () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057';
  const proof = `claims.${'s'.repeat(43)}`;

  it('reads back as its connection and its proof', () => {
    expect(parseAssertion(bearer(writeAssertion(id, proof)))).toEqual({ kind: 'assertion', id, proof });
  });

  it.each([
    ['nothing', undefined],
    ['an API key', bearer(newApiKey('test').text)],
    ['one without a signature', bearer(writeAssertion(id, 'claims'))],
    ['one of no connection', bearer(writeAssertion('0'.repeat(31), proof))],
    ['one with something after it', bearer(`${writeAssertion(id, proof)}x`)],
    ['one with something before it', bearer(`x${writeAssertion(id, proof)}`)],
  ])('is not found in %s', (_, header) => {
    expect(parseAssertion(header)).toBeNull();
  });
});
