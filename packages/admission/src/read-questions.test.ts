import { newId } from '@payroll/kernel';
import { expect, it } from 'vitest';
import { newApiKey, parseApiKey } from './credentials.js';
import { parseAdmissionRequests } from './protocol.js';

const credential = parseApiKey(`Bearer ${newApiKey('test').text}`, 'test')!;
const session = { kind: 'session', proof: credential.proof };
const token = { ...credential, kind: 'token' };
const good = {
  credential,
  requestId: newId(),
  clientAddress: '2001:db8::1',
  limit: 'reads',
  scope: 'read',
};

it.each([
  ['of a key', 'rest-facade', good],
  ['without a credential or a scope', 'rest-facade', { ...good, credential: null, scope: null }],
  ['of an assistant', 'rest-facade', { ...good, credential: { ...credential, kind: 'assertion' } }],
  ['of staff', 'gateway', { ...good, credential: token, workspaceId: 'anything', reason: 'Käse \0' }],
  ['of somebody signed in', 'console', { ...good, credential: session, scope: null, workspaceId: newId() }],
  ['that came over proxies', 'rest-facade', { ...good, clientAddress: 'unknown, by hand' }],
] as const)('a question %s is read unchanged', (_, edge, question) => {
  expect(parseAdmissionRequests([question], edge)).toEqual([question]);
});

it.each([
  ['rest-facade', session],
  ['rest-facade', token],
  ['gateway', credential],
  ['gateway', session],
  ['gateway', { ...credential, kind: 'assertion' }],
  ['console', credential],
  ['console', token],
] as const)('%s may not ask about %j', (edge, asked) => {
  expect(parseAdmissionRequests([{ ...good, credential: asked }], edge)).toEqual([null]);
});

it.each([
  ['no object', 'hello'],
  ['null', null],
  ['without anything', {}],
  ['with an unknown kind of credential', { ...good, credential: { ...credential, kind: 'password' } }],
  ['with an id that is none', { ...good, credential: { ...credential, id: "' or 1=1" } }],
  ['with a proof that is none', { ...good, credential: { ...credential, proof: `${credential.proof}=` } }],
  ['with a key that has no id', { ...good, credential: { ...session, kind: 'api_key' } }],
  ['with a session whose proof is none', { ...good, credential: { ...session, proof: "' or 1=1" } }],
  ['with an unknown limit', { ...good, limit: 'none' }],
  ['with an unknown scope', { ...good, scope: 'everything' }],
  ['from an address that Postgres cannot keep', { ...good, clientAddress: '\0' }],
  ['from an address without end', { ...good, clientAddress: '1'.repeat(256) }],
  ['with a request id that is no text', { ...good, requestId: 7 }],
  ['with half a character', { ...good, requestId: '\ud800' }],
  ['with a reason that is no text', { ...good, reason: {} }],
])('a question that is %s is malformed, and the others are read', (_, question) => {
  expect(parseAdmissionRequests([good, question, good], 'rest-facade')).toEqual([good, null, good]);
});

it.each([undefined, null, {}, 'questions', 7])('%j is not a list of questions', (body) => {
  expect(() => parseAdmissionRequests(body, 'rest-facade')).toThrow(TypeError);
});
