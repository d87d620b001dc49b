import { graphql } from '../../operations.js';
import { CONTRACT_ROW } from '../contracts/operations.js';

export const find = graphql(`
  query find($search: String!) {
    contracts(search: $search, limit: 10) { nodes { ${CONTRACT_ROW} } nextCursor }
    workers(search: $search, limit: 10) { nodes { id name } }
  }`);

export const findById = graphql(
  'query findById($id: ID!) { contract(id: $id) { id } worker(id: $id) { id } payment(id: $id) { id } }',
);
