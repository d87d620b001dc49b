import { createHash } from 'node:crypto';
import { isId } from '@payroll/kernel';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hashProof,
  idOfApiKey,
  newApiKey,
  newInternalToken,
  parseApiKey,
  parseAssertion,
  parseInternalToken,
  describeApiKeyProblem,
  describeTokenProblem,
  formatAssertion,
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

  it('is refused unless its id is a UUID, though its checksum is right', () => {
    for (const id of ['019a3f5e-8b1c-9d24-9c6a-41f0b2d7e801', '00000000-0000-0000-0000-000000000001']) {
      expect(parseApiKey(bearer(newApiKey('test', id).text), 'test')).toBeNull();
    }
  });

  it('is valid in one environment only', () => {
    expect(parseApiKey(bearer(newApiKey('live').text), 'test')).toBeNull();
    expect(parseApiKey(bearer(newApiKey('test').text), 'live')).toBeNull();
    expect(parseApiKey(bearer(newApiKey('live').text), 'live')).not.toBeNull();
  });

  it('of a cell names it, and is valid in that cell only', () => {
    const { id, text } = newApiKey('live_eu1');
    expect(text).toMatch(/^sk_live_eu1_[0-9a-z]{25}_[0-9a-z]{57}$/);
    expect(parseApiKey(bearer(text), 'live_eu1')).toMatchObject({ kind: 'api_key', id });
    for (const other of ['live', 'test', 'test_eu1', 'live_us1', 'live_eu'] as const) {
      expect(parseApiKey(bearer(text), other), other).toBeNull();
      expect(parseApiKey(bearer(newApiKey(other).text), 'live_eu1'), other).toBeNull();
    }
    // The checksum covers the name: a key of one cell cannot be made to look like one of another.
    expect(parseApiKey(bearer(text.replace('eu1', 'us1')), 'live_us1')).toBeNull();
  });

  it.each(['test', 'live', 'live_eu1'] as const)('of %s is found by its id wherever it is from', (name) => {
    const { id, text } = newApiKey(name);
    expect(idOfApiKey(text)).toBe(id);
    for (const other of [text.slice(1), `${text}0`, newInternalToken().text, id]) expect(idOfApiKey(other)).toBeNull();
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
    [bearer(newApiKey('live').text), 'a key of a live deployment, but this is a test deployment'],
    [bearer(`x${newApiKey('live').text}`), 'cut off or changed'],
    [bearer('x_it_'), 'cut off or changed'],
    [bearer('x_ca_'), 'cut off or changed'],
    [bearer(cut), 'begins with sk_test_ and has 91 characters'],
    [bearer(newInternalToken().text), 'for the internal endpoint'],
    [bearer('ca_x'), 'assertion'],
  ])('for %j explains how to send the key', (header, words) => {
    expect(describeApiKeyProblem(header, 'test')).toContain(words);
    expect(parseApiKey(header, 'test')).toBeNull();
  });

  it('names the deployment of a test key that is sent to a live one', () => {
    const said = describeApiKeyProblem(bearer(newApiKey('test').text), 'live');
    expect(said).toContain('a key of a test deployment, but this is a live deployment, whose keys begin with sk_live_');
    expect(describeApiKeyProblem(bearer(newApiKey('live').text), 'live')).toContain('begins with sk_live_ and has 91');
    expect(describeTokenProblem(bearer('x_sk_'))).toContain('cut off or changed');
  });

  it.each([
    ['live_us1', 'live_eu1', 'the live cell us1, but this is the live cell eu1, whose keys begin with sk_live_eu1_'],
    ['live', 'live_eu1', 'a live deployment, but this is the live cell eu1'],
    ['live_us1', 'live', 'the live cell us1, but this is a live deployment, whose keys begin with sk_live_.'],
  ] as const)('names the cell of a key of %s that is sent to %s', (of, here, words) => {
    const { text } = newApiKey(of);
    expect(describeApiKeyProblem(bearer(text), here)).toContain(`This is a key of ${words}`);
    // The same for one that never was.
    expect(describeApiKeyProblem(bearer(`${text.slice(0, -1)}-`), here)).toBe(
      describeApiKeyProblem(bearer(text), here),
    );
  });

  it('repeats no part of a text that only looks like the beginning of a key', () => {
    expect(describeApiKeyProblem(bearer('sk_test_hunter2_x'), 'test')).toContain('This is no API key');
    expect(describeApiKeyProblem(bearer('sk_test_eu1_x'), 'test_eu1')).toContain(
      'begins with sk_test_eu1_ and has 95 characters',
    );
  });

  it('is given for internal tokens too, and never repeats the credential', () => {
    const { text } = newApiKey('test');
    expect(describeTokenProblem(bearer(text))).toContain('This is an API key');
    expect(describeTokenProblem(undefined)).toContain('is missing');
    expect(describeTokenProblem(bearer('it_x'))).toContain('cut off or changed');
    for (const said of [describeTokenProblem(bearer(text)), describeApiKeyProblem(bearer(cut), 'live')]) {
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
    expect(parseAssertion(bearer(formatAssertion(id, proof)))).toEqual({ kind: 'assertion', id, proof });
  });

  it.each([
    ['nothing', undefined],
    ['an API key', bearer(newApiKey('test').text)],
    ['one without a signature', bearer(formatAssertion(id, 'claims'))],
    ['one of no connection', bearer(formatAssertion('0'.repeat(31), proof))],
    ['one with something after it', bearer(`${formatAssertion(id, proof)}x`)],
    ['one with something before it', bearer(`x${formatAssertion(id, proof)}`)],
  ])('is not found in %s', (_, header) => {
    expect(parseAssertion(header)).toBeNull();
  });
});
