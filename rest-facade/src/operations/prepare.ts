import { notFound } from '@payroll/kernel';
import { createWriter, operations, type OperationName } from '@payroll/public-api';
import { bindings, type OperationInput } from './bindings.js';
import { documentOf } from './document.js';
import type { Caller, GatewayPort } from './gateway-port.js';
import { pageSelectionOf, selectionOf } from './selection.js';

/** Asks the graph and gives the body of the answer. `operationId` is what a write is known by. */
export type RunOperation = (input: OperationInput, caller: Caller, operationId?: string) => Promise<string>;

interface GraphPage {
  nodes: unknown[];
  hasMore: boolean;
  nextCursor: string | null;
}

/** Prepares an operation's one GraphQL document and the writer of its answer. */
export function prepareOperation(name: OperationName, gateway: GatewayPort): RunOperation {
  const { kind, field, answers, what, variables, valuesOf } = bindings[name];
  const { shape } = operations[name].success;
  const document = documentOf({
    kind,
    field,
    variables: kind === 'mutation' ? { ...variables, operationId: 'ID!' } : variables,
    selection: answers === 'page' ? pageSelectionOf(shape) : selectionOf(shape),
  });
  const prepared = gateway.prepare<Record<string, unknown>, Record<string, unknown>>(document);
  const write = createWriter(shape);
  return async (input, caller, operationId) => {
    const values = operationId === undefined ? valuesOf(input) : { ...valuesOf(input), operationId };
    const { [field]: found = null } = await prepared.run(values, caller);
    if (found === null) throw notFound(what);
    return write(answers === 'page' ? publicPage(found as GraphPage) : found);
  };
}

function publicPage({ nodes, hasMore, nextCursor }: GraphPage): unknown {
  return { data: nodes, hasMore, nextCursor };
}
