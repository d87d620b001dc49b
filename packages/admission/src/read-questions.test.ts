import { newId } from '@payroll/kernel';
import { expect, it } from 'vitest';
import { newApiKey, parseApiKey } from './credentials.js';
import { readQuestions } from './protocol.js';

const credential = parseApiKey(`Bearer ${newApiKey('test').text}`, 'test')!;
const session = { kind: 'session', proof: credential.proof };
const good = {
  credential,
  via: 'rest',
  requestId: newId(),
  clientAddress: '2001:db8::1',
  limit: 'reads',
  scope: 'read',
};

it.each([
  ['of a key', good],
  ['without a credential or a scope', { ...good, credential: null, scope: null }],
  ['of staff', { ...good, via: 'graphql', workspaceId: 'anything', reason: 'Käse \0' }],
  ['of somebody signed in', { ...good, via: 'web', credential: session, scope: null, workspaceId: newId() }],
  ['that came over proxies', { ...good, clientAddress: 'unknown, whoever' }],
])('a question %s is read as it is', (_, question) => {
  expect(readQuestions([question])).toEqual([question]);
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
  ['through an unknown door', { ...good, via: 'event' }],
  ['from an address that Postgres cannot keep', { ...good, clientAddress: '\0' }],
  ['from an address without end', { ...good, clientAddress: '1'.repeat(256) }],
  ['with a request id that is no text', { ...good, requestId: 7 }],
  ['with half a character', { ...good, requestId: '\ud800' }],
  ['with a reason that is no text', { ...good, reason: {} }],
])('a question that is %s is malformed, and its neighbours are not', (_, question) => {
  expect(readQuestions([good, question, good])).toEqual([good, null, good]);
});

it.each([undefined, null, {}, 'questions', 7])('%j is no list of questions', (body) => {
  expect(() => readQuestions(body)).toThrow(TypeError);
});
