import fc from 'fast-check';
import type { ContractDocument, Operation } from '../support/document.js';
import { agreeing, type Draft } from './drafts.js';
import { valuesOf } from './values.js';
import { wrongBodies, wrongEnvelopes, wrongParameters, type FuzzRequest, type Requests } from './wrong-requests.js';

const NOBODYS = '019b2f6e-6c1d-7a54-8f0e-5d2f3a9b7c41';

/** Existing ids by the first segment of their path, so that requests meet more than 404. */
export type Things = Readonly<Record<string, readonly { id: string; version?: string }[]>>;

/** Requests to an operation: valid ones, and ones with one fault each. */
export function requestsTo(document: ContractDocument, operation: Operation, things: Things): Requests {
  const valid = validRequests(document, operation, things);
  const wrong = operation.body
    ? [
        { weight: 4, arbitrary: wrongBodies(document, operation, valid) },
        { weight: 1, arbitrary: wrongEnvelopes(operation, valid) },
        { weight: 1, arbitrary: wrongParameters(operation, valid) },
      ]
    : [{ weight: 6, arbitrary: wrongParameters(operation, valid) }];
  return fc.oneof({ weight: 3, arbitrary: valid }, { weight: 1, arbitrary: valid.map(saidTwice) }, ...wrong);
}

/** JSON allows a duplicate name. The last one counts, for validation and for the stored value. */
function saidTwice(fuzz: FuzzRequest): FuzzRequest {
  const { request, body } = fuzz;
  const [name] = Object.keys(body ?? {});
  if (name === undefined) return fuzz;
  const twice = `{${JSON.stringify(name)}:7,${String(request.body).slice(1)}`;
  return { ...fuzz, what: `in order, with ${name} said twice`, request: { ...request, body: twice } };
}

function validRequests(document: ContractDocument, operation: Operation, things: Things): Requests {
  const { method, path, parameters, body } = operation;
  const known = things[path.split('/')[1] ?? ''] ?? [];
  const filters = parameters.filter(({ in: place, name }) => place === 'query' && name !== 'cursor');
  const query = fc.record(Object.fromEntries(filters.map(({ name, schema }) => [name, valuesOf(document, schema)])), {
    requiredKeys: [],
    noNullPrototype: true,
  });
  const thing = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom({ id: NOBODYS, version: undefined }, ...known) },
    { weight: 1, arbitrary: fc.uuid().map((id) => ({ id, version: undefined })) },
  );
  const sent = body ? valuesOf(document, body) : fc.constant(undefined);
  return fc.tuple(thing, query, sent, fc.boolean()).map(([{ id, version }, query, value, isCurrent]) => {
    const reviewed = isCurrent && version !== undefined ? { ...(value as object), expectedVersion: version } : value;
    const fitting = path === '/contracts' && value !== undefined ? agreeing(value as Draft) : reviewed;
    return {
      what: 'in order',
      ...(body && { body: fitting }),
      request: {
        method,
        path,
        params: { id },
        query: queryOf(query),
        ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(fitting) }),
      },
    };
  });
}

function queryOf(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}
