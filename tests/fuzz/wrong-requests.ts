import fc from 'fast-check';
import type { RawRequest } from '../support/client/client.js';
import type { ContractDocument, Operation, Parameter } from '../support/document.js';
import { mutationsOf, WRONG_TEXTS } from './mutations.js';

export interface FuzzRequest {
  /** A description for the counterexample. */
  what: string;
  request: RawRequest;
  /** The body before it is serialized. */
  body?: unknown;
  /** The expected refusal; undefined for a valid request. */
  refused?: { status: number; path?: string; isInSchema?: boolean };
}

export type Requests = fc.Arbitrary<FuzzRequest>;

/** Valid requests with one mutation of the body. */
export function wrongBodies(document: ContractDocument, { body: schema }: Operation, valid: Requests): Requests {
  return fc.tuple(valid, fc.nat()).map(([{ request, body }, choice]) => {
    const mutations = mutationsOf(document, schema!, body);
    const { what, path, body: wrong, isInSchema } = mutations[choice % mutations.length]!;
    return {
      what,
      body: wrong,
      request: { ...request, body: JSON.stringify(wrong) },
      refused: { status: 422, path, isInSchema },
    };
  });
}

/** Faults around the body, or in its JSON syntax. */
export function wrongEnvelopes({ path }: Operation, valid: Requests): Requests {
  const withHeader = (name: string, value: string, guilty: string) => (fuzz: FuzzRequest) => ({
    what: `${name}: ${value.slice(0, 40)}`,
    request: { ...fuzz.request, headers: { ...fuzz.request.headers, [name]: value } },
    refused: { status: 400, path: guilty },
  });
  const withBody = (what: string, status: number, body: RawRequest['body']) => (fuzz: FuzzRequest) => ({
    what,
    request: { ...fuzz.request, body },
    refused: { status, ...(status === 400 && { path: '' }) },
  });
  const wrong = [
    ...['text/plain', 'application/xml', 'application/json; charset=utf-16', 'application/jsonp'].map((type) =>
      withHeader('content-type', type, 'Content-Type'),
    ),
    ...['fifteen-letters', 'x'.repeat(129), 'not all of it fits', '.'.repeat(20)].map((key) =>
      withHeader('idempotency-key', key, 'Idempotency-Key'),
    ),
    withBody('no JSON', 400, '{"title": "open'),
    withBody('an empty body', 400, ''),
    withBody('no UTF-8', 400, new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
    withBody('more than 1 MiB', 413, JSON.stringify({ [path]: 'x'.repeat(1_048_576) })),
    withBody('a hundred thousand brackets', 422, '['.repeat(100_000) + ']'.repeat(100_000)),
  ];
  return fc.tuple(valid, fc.constantFrom(...wrong)).map(([fuzz, change]): FuzzRequest => change(fuzz) as FuzzRequest);
}

/** Invalid path and query parameters. */
export function wrongParameters({ parameters }: Operation, valid: Requests): Requests {
  const inQuery = parameters.filter(({ in: place }) => place === 'query');
  const changes = [
    ...['surprise', '__proto__', 'constructor', 'limit[]'].map((name) => added(name, 'x', name)),
    ...inQuery.flatMap((parameter) => [
      ...wrongValuesOf(parameter).map((value) => added(parameter.name, value, parameter.name)),
      { what: `${parameter.name} twice`, query: `${parameter.name}=1&${parameter.name}=1`, guilty: parameter.name },
      { what: `${parameter.name} is no UTF-8`, query: `${parameter.name}=%ff`, guilty: parameter.name },
    ]),
    ...(parameters.some(({ in: place }) => place === 'path')
      ? WRONG_TEXTS['uuid']!.map(([what, id]) => ({ what, id, guilty: 'id' }))
      : []),
  ];
  return fc.tuple(valid, fc.constantFrom(...changes)).map(([{ request }, { what, guilty, ...change }]) => ({
    what,
    request: {
      ...request,
      ...('id' in change && { params: { id: change.id } }),
      ...('query' in change && { query: `?${change.query}` }),
    },
    refused: { status: 400, path: guilty },
  }));
}

function added(name: string, value: string, guilty: string) {
  return {
    what: `${name}=${value.slice(0, 40)}`,
    query: `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
    guilty,
  };
}

function wrongValuesOf({ name, schema: { type, enum: words, format, maxLength } }: Parameter): string[] {
  if (name === 'cursor') return ['', 'garbage', 'x'.repeat(2049), 'é', 'a\0b'];
  if (type === 'integer') return ['0', '101', '1.5', '1e1', '', '+1', '01', '9'.repeat(30), 'NaN'];
  if (words) return ['no-such-word', '', words[0]!.toString().toUpperCase()];
  const texts = format === undefined ? undefined : WRONG_TEXTS[format];
  return texts?.map(([, text]) => text) ?? ['', 'x'.repeat((maxLength ?? 0) + 1), 'a\0b'];
}
