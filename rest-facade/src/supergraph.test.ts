import { Gateway, supergraph } from '@payroll/gateway';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationNames } from './bindings.js';
import { prepareOperation } from './ask-graph.js';

let gateway: Gateway;
beforeAll(async () => {
  const nowhere = 'http://127.0.0.1:1/graphql';
  const subgraphs = { workspaces: nowhere, contracts: nowhere, review: nowhere, payments: nowhere };
  gateway = await Gateway.create({ supergraph: supergraph(), subgraphs });
});
afterAll(() => gateway[Symbol.asyncDispose]());

test.each(operationNames)('%s fits the graph as it is composed', (name) => {
  expect(() => prepareOperation(name, gateway)).not.toThrow();
});
