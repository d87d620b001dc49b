import { DomainError, notFound, unavailable } from '@payroll/kernel';
import { createWriter, operations, type OperationName } from '@payroll/public-api';
import { bindings, type Binding, type OperationInput } from './bindings.js';
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
  const binding = bindings[name];
  const { field, answers, what, valuesOf, within, unavailableUnlessRead } = binding;
  const { shape } = operations[name].success;
  const prepared = gateway.prepare<Record<string, unknown>, Record<string, unknown>>(documentFor(binding, shape));
  const write = createWriter(shape);
  const run: RunOperation = async (input, caller, operationId) => {
    const values = operationId === undefined ? valuesOf(input) : { ...valuesOf(input), operationId };
    const data = await prepared.run(values, caller);
    if (within && (data[within.field] ?? null) === null) throw notFound(within.what);
    const { [field]: found = null } = data;
    if (found === null) throw notFound(what);
    return write(answers === 'page' ? publicPage(found as GraphPage) : found);
  };
  return unavailableUnlessRead
    ? (...request) => run(...request).catch((error: unknown) => refuseUnread(what, error))
    : run;
}

function documentFor(binding: Binding, shape: (typeof operations)[OperationName]['success']['shape']): string {
  const { kind, field, answers, variables, within } = binding;
  return documentOf({
    kind,
    field,
    variables: kind === 'mutation' ? { ...variables, operationId: 'ID!' } : variables,
    selection: answers === 'page' ? pageSelectionOf(shape) : selectionOf(shape),
    ...(within && { beside: `${within.field}(${within.arguments}) { id }` }),
  });
}

function publicPage({ nodes, hasMore, nextCursor }: GraphPage): unknown {
  return { data: nodes, hasMore, nextCursor };
}

/** A refusal stays what it is; a failure of whatever kind means that nothing was read. */
function refuseUnread(what: string, error: unknown): never {
  if (error instanceof DomainError && error.code !== 'INTERNAL_ERROR') throw error;
  throw unavailable(what, error);
}
