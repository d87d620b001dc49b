import { expect, it } from 'vitest';
import { ContractDocument, type DocumentJson } from '../document.js';
import { Judge } from '../judge.js';
import { violationsOf } from './violations.js';

const json = {
  paths: {
    '/things/{id}': {
      post: {
        operationId: 'changeThing',
        parameters: [{ $ref: '#/components/parameters/Id' }],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
        responses: {
          200: {
            headers: { 'Retry-After': { $ref: '#/components/headers/Seconds' } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          304: {},
        },
      },
    },
  },
  components: {
    parameters: { Id: { name: 'id', in: 'path', required: true, schema: { type: 'string' } } },
    headers: { Seconds: { schema: { type: 'integer', minimum: 1 } } },
    schemas: {
      Thing: { type: 'object', required: ['on'], additionalProperties: false, properties: { on: { format: 'date' } } },
    },
  },
};

const document = new ContractDocument(json as unknown as DocumentJson);
const judge = new Judge(document);
const operation = document.operation('POST', '/things/{id}');
const type = { 'content-type': 'application/json; charset=utf-8' };

const faults = (status: number, headers: Record<string, string>, text: string): string[] =>
  judge.faultsOf(operation, { status, headers: new Headers(headers), text });

it('an answer as declared has no faults', () => {
  expect(faults(200, { ...type, 'retry-after': '3' }, '{"on":"2028-02-29"}')).toEqual([]);
  expect(faults(304, {}, '')).toEqual([]);
});

it.each([
  ['an undeclared status', 201, type, '{}', 'status 201 is not declared'],
  ['an undeclared header', 200, { ...type, 'x-secret': '1' }, '{"on":"2028-02-29"}', 'header x-secret is not declared'],
  ['a header that does not fit', 200, { ...type, 'retry-after': '0' }, '{"on":"2028-02-29"}', 'header retry-after: 0'],
  ['an undeclared content type', 200, { 'content-type': 'text/html' }, '<p>', 'content type text/html is not declared'],
  ['a body where none is declared', 304, {}, '{}', '304 has a body'],
  ['a body that is no JSON', 200, type, '{"on":', 'body'],
  ['a body with a field too many', 200, type, '{"on":"2028-02-29","off":1}', 'must NOT have additional properties'],
  ['a day that is not in the calendar', 200, type, '{"on":"2027-02-29"}', 'must match format "date"'],
] as const)('%s is a fault', (_what, status, headers, text, expected) => {
  expect(faults(status, headers, text).join()).toContain(expected);
});

it('accepts exactly the bodies that the document allows', () => {
  expect(judge.accepts(operation, { on: '2028-02-29' })).toBe(true);
  expect(judge.accepts(operation, {})).toBe(false);
});

it("a proxy's violations count for every answer, and for a request only if it was accepted", () => {
  const said = (...sides: string[]): Headers =>
    new Headers({ 'sl-violations': JSON.stringify(sides.map((side) => ({ location: [side], message: 'is odd' }))) });
  expect(violationsOf(said('request', 'response'), 200)).toEqual(['request is odd', 'response is odd']);
  expect(violationsOf(said('request', 'response'), 422)).toEqual(['response is odd']);
  expect(violationsOf(new Headers(), 200)).toEqual([]);
});

it("keeps the answer's violations when the proxy's list was cut off", () => {
  expect(violationsOf(new Headers({ 'sl-violations': 'Too many: [{"location":["response","body' }), 422)).toHaveLength(
    1,
  );
});
