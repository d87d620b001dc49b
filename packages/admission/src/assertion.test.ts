import { newId } from '@payroll/kernel';
import { expect, it } from 'vitest';
import {
  newApiKey,
  newInternalToken,
  parseApiKey,
  parseAssertion,
  parseInternalToken,
  formatAssertion,
} from './credentials.js';
import { parseAdmissionRequests } from './protocol.js';

const id = newId();
const proof = `${Buffer.from(JSON.stringify({ some: 'claims' })).toString('base64url')}.${'s'.repeat(43)}`;
const text = formatAssertion(id, proof);

it('an assertion reads back as its connection and proof', () => {
  const credential = parseAssertion(`Bearer ${text}`);
  expect(credential).toEqual({ kind: 'assertion', id, proof });
  const question = { credential, requestId: 'r', clientAddress: '::1', limit: 'reads', scope: 'read' };
  expect(parseAdmissionRequests([question], 'rest-facade')).toEqual([question]);
});

it('one or more spaces may precede a credential (RFC 9110 §11.4)', () => {
  const expected = parseAssertion(`Bearer ${text}`);
  expect(expected).not.toBeNull();
  expect([parseAssertion(`Bearer  ${text}`), parseAssertion(`bearer   ${text}`)]).toEqual([expected, expected]);
  const [key, token] = [newApiKey('test').text, newInternalToken().text];
  expect(parseApiKey(`Bearer  ${key}`, 'test')).toEqual(parseApiKey(`Bearer ${key}`, 'test'));
  expect(parseInternalToken(`Bearer  ${token}`)).toMatchObject({ kind: 'token' });
});

it('an assertion, an API key and an internal token are not accepted for each other', () => {
  expect(parseApiKey(`Bearer ${text}`, 'test')).toBeNull();
  expect(parseInternalToken(`Bearer ${text}`)).toBeNull();
  expect(parseAssertion(`Bearer ${newApiKey('test').text}`)).toBeNull();
});

it.each([
  undefined,
  '',
  'Bearer',
  `Basic ${text}`,
  `Bearer ${text} `,
  `Bearer  ${text} x`,
  `Bearer${text}`,
  `Bearer ${text}x`,
  `Bearer ${text.slice(0, -1)}`,
  `Bearer x${text}`,
  'Bearer eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl',
])('%j is not an assertion', (header) => {
  expect(parseAssertion(header)).toBeNull();
});
