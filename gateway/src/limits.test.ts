import { buildSchema, getOperationAST, parse } from 'graphql';
import { expect, it } from 'vitest';
import { sizeOf } from './limits.js';

const schema = buildSchema(`
  type Query { contract(id: ID): Contract, contracts(limit: Int! = 50): Contracts!, balances: [Money!]! }
  type Mutation { close(id: ID): Contract }
  type Contracts { nodes: [Contract!]!, hasMore: Boolean! }
  type Contract { id: ID!, title: String, payments: [Payment!]!, skills: [String!] }
  type Payment { id: ID!, amount: Money!, contract: Contract! }
  type Money { amount: String!, currency: String! }
`);

function sizeIn(text: string, variables: Record<string, unknown> = {}) {
  const document = parse(text);
  return sizeOf(schema, document, getOperationAST(document)!, variables);
}

it.each([
  ['{ contract { title } }', { depth: 2, aliases: 0, cost: 2 }],
  ['{ contract { title skills } }', { depth: 2, aliases: 0, cost: 3 }],
  // The page and 50 times its list, a title and an id.
  ['{ contracts { nodes { id title } } }', { depth: 3, aliases: 0, cost: 151 }],
  ['{ contracts(limit: 2) { hasMore nodes { id title } } }', { depth: 3, aliases: 0, cost: 9 }],
  ['{ contracts(limit: -5) { nodes { id } } }', { depth: 3, aliases: 0, cost: 3 }],
  // A list without a declared length.
  ['{ balances { amount currency } }', { depth: 2, aliases: 0, cost: 41 }],
  ['{ contracts(limit: 10) { nodes { payments { amount { amount } } } } }', { depth: 5, aliases: 0, cost: 421 }],
  ['{ a: contract { b: title c: title } d: contract { title } }', { depth: 2, aliases: 4, cost: 5 }],
  ['mutation { a: close { id } b: close { id } }', { depth: 2, aliases: 2, cost: 4 }],
  ['{ contract { ... on Contract { title } ... { id } } }', { depth: 2, aliases: 0, cost: 3 }],
  ['{ contract { ...F } } fragment F on Contract { x: title id }', { depth: 2, aliases: 1, cost: 3 }],
  ['{ __schema { types { fields { name } } } contract { __typename } }', { depth: 1, aliases: 0, cost: 1 }],
] as const)('%s', (text, size) => {
  expect(sizeIn(text)).toEqual(size);
});

it('applies the limit argument from a variable or the query', () => {
  const text = 'query ($limit: Int!) { contracts(limit: $limit) { nodes { id } } }';
  expect(sizeIn(text, { limit: 100 }).cost).toBe(201);
});

it('counts fragments that double each other in full, without exponential time', () => {
  const doubled = Array.from(
    { length: 60 },
    (_, n) =>
      `fragment F${n} on Contract { a: payments { contract { ...F${n + 1} } } b: payments { contract { ...F${n + 1} } } }`,
  );
  const size = sizeIn(`{ contract { ...F0 } } ${doubled.join(' ')} fragment F60 on Contract { id }`);
  expect(size.depth).toBe(122);
  expect(size.aliases).toBe(2 ** 61 - 2);
  expect(size.cost).toBeGreaterThan(1e90);
});
