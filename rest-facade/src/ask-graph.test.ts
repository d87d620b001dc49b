import { Gateway, supergraph } from '@payroll/gateway';
import { ContractDetail, pageSchema, Payment } from '@payroll/public-api';
import { afterAll, expect, test } from 'vitest';
import { documentOf, pageSelectionOf, prepareOperation, selectionOf } from './ask-graph.js';
import { operationNames } from './bindings.js';

test('a selection names every field of the shape, through nulls and lists', () => {
  expect(selectionOf(ContractDetail)).toBe(
    '{ id title employmentType contractType status worker { id name } startDate endDate createdAt updatedAt deletedAt ' +
      'creator { terms { exclusivity exclusivityEndDate ipOwnership usageNote } ' +
      'deliverables { id platform format brief dueDate amount { amount currency } sortOrder } } }',
  );
});

test('a page is selected by the field names of the graph', () => {
  expect(pageSelectionOf(pageSchema(Payment))).toMatch(/^\{ data: nodes \{ id .* updatedAt \} hasMore nextCursor \}$/);
});

test('every argument is a variable of its own name', () => {
  const selection = '{ id }';
  expect(documentOf({ kind: 'mutation', field: 'do', variables: { id: 'ID!', on: 'Boolean' }, selection })).toBe(
    'mutation do($id: ID!, $on: Boolean) { do(id: $id, on: $on) { id } }',
  );
  expect(documentOf({ kind: 'query', field: 'all', variables: {}, selection })).toBe('query all { all { id } }');
});

const nowhere = 'http://127.0.0.1:1/graphql';
const subgraphs = { workspaces: nowhere, contracts: nowhere, review: nowhere, payments: nowhere };
const gateway = new Gateway({ supergraph: supergraph(), subgraphs });
afterAll(() => gateway[Symbol.asyncDispose]());

test.each(operationNames)('%s matches the composed schema', (name) => {
  expect(() => prepareOperation(name, gateway)).not.toThrow();
});
