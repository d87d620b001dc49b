import { ContractDetail, pageOf, Payment } from '@payroll/public-api';
import { expect, test } from 'vitest';
import { documentOf, pageSelectionOf, selectionOf } from './ask-graph.js';

test('a selection names every field of the shape, through nulls and lists', () => {
  expect(selectionOf(ContractDetail)).toBe(
    '{ id title employmentType contractType status worker { id name } startDate endDate createdAt updatedAt deletedAt ' +
      'creator { terms { exclusivity exclusivityEndDate ipOwnership usageNote } ' +
      'deliverables { id platform format brief dueDate amount { amount currency } sortOrder } } }',
  );
});

test('a page is selected by the names the graph has for it', () => {
  expect(pageSelectionOf(pageOf(Payment))).toMatch(/^\{ data: nodes \{ id .* updatedAt \} hasMore nextCursor \}$/);
});

test('every argument is a variable of its own name', () => {
  const selection = '{ id }';
  expect(documentOf({ kind: 'mutation', field: 'do', variables: { id: 'ID!', on: 'Boolean' }, selection })).toBe(
    'mutation do($id: ID!, $on: Boolean) { do(id: $id, on: $on) { id } }',
  );
  expect(documentOf({ kind: 'query', field: 'all', variables: {}, selection })).toBe('query all { all { id } }');
});
