import type { Caller, Gateway } from '@payroll/gateway';
import { DomainError, notFound, unavailable } from '@payroll/kernel';
import { createSerializer, operations, type Keywords, type OperationName } from '@payroll/public-api';
import { metrics } from '@payroll/runtime';
import type { TSchema } from 'typebox';
import { bindings, type Binding, type OperationInput } from './bindings.js';

/** Asks the graph and gives the body of the answer. `operationId` is what a write is known by. */
type RunOperation<Name extends OperationName> = (
  input: OperationInput<Name>,
  caller: Caller,
  operationId?: string,
) => Promise<string>;

/** Prepares an operation's one GraphQL document and the writer of its answer. */
export function prepareOperation<Name extends OperationName>(
  name: Name,
  gateway: Gateway,
  checkedShare = 1,
): RunOperation<Name> {
  const binding: Binding<Name> = bindings[name];
  const { field, what, valuesOf, within, unavailableUnlessRead } = binding;
  const { shape } = operations[name].success;
  const prepared = gateway.prepare<Record<string, unknown>, Record<string, unknown>>(documentFor(name, binding));
  const write = countingViolations(name, createSerializer(shape));
  const written = (value: unknown): string => {
    if ((value ?? null) === null) throw notFound(what);
    return write(value);
  };
  const run: RunOperation<Name> = async (input, caller, operationId) => {
    const values = operationId === undefined ? valuesOf(input) : { ...valuesOf(input), operationId };
    if (within) {
      const data = await prepared.run(values, caller);
      if ((data[within.field] ?? null) === null) throw notFound(within.what);
      return written(data[field]);
    }
    const text = await prepared.runToText(values, caller);
    const isPassedOn = text !== 'null' && Math.random() >= checkedShare;
    return isPassedOn ? text : written(JSON.parse(text));
  };
  return unavailableUnlessRead
    ? (...request) => run(...request).catch((error: unknown) => refuseUnread(what, error))
    : run;
}

/** A response that does not match its schema is refused; the error names its fields, never their values. */
function countingViolations(operation: OperationName, write: (value: unknown) => string): (value: unknown) => string {
  return (value) => {
    try {
      return write(value);
    } catch (error) {
      metrics.contractViolations.add({ operation });
      throw error;
    }
  };
}

function documentFor(name: OperationName, { field, variables, within }: Binding<never>): string {
  const { method, success } = operations[name];
  const isRead = method === 'GET';
  const isPage = 'hasMore' in success.shape.properties;
  return documentOf({
    kind: isRead ? 'query' : 'mutation',
    field,
    variables: isRead ? variables : { ...variables, operationId: 'ID!' },
    selection: isPage ? pageSelectionOf(success.shape) : selectionOf(success.shape),
    ...(within && { beside: `${within.field}(${within.arguments}) { id }` }),
  });
}

/** A refusal is passed on; any other failure means that the value is unknown. */
function refuseUnread(what: string, error: unknown): never {
  if (error instanceof DomainError && error.code !== 'INTERNAL_ERROR') throw error;
  throw unavailable(what, error);
}

/** `variables`: GraphQL types by argument; each becomes a variable of the same name. */
interface GraphqlDocument extends Pick<Binding<never>, 'field' | 'variables'> {
  kind: 'query' | 'mutation';
  selection: string;
  /** Another root field in the same request; it may use the same variables. */
  beside?: string;
}

/** `query contract($id: ID!) { contract(id: $id) { … } }` */
export function documentOf({ kind, field, variables, selection, beside }: GraphqlDocument): string {
  const names = Object.keys(variables);
  const declared = names.map((name) => `$${name}: ${variables[name]}`).join(', ');
  const passed = names.map((name) => `${name}: $${name}`).join(', ');
  const within = (list: string): string => (list === '' ? '' : `(${list})`);
  const fields = [`${field}${within(passed)} ${selection}`, ...(beside === undefined ? [] : [beside])];
  return `${kind} ${field}${within(declared)} { ${fields.join(' ')} }`;
}

/** The GraphQL selection of a shape: the data has the fields and names of the response. */
export function selectionOf(shape: TSchema): string {
  const { properties, items } = shape as Keywords;
  if (items) return selectionOf(items);
  if (!properties) return '';
  const fields = Object.entries(properties).map(([name, part]) => [name, selectionOf(part)].filter(Boolean).join(' '));
  return `{ ${fields.join(' ')} }`;
}

/** The same for a list, whose things the graph calls `nodes`. */
export function pageSelectionOf(page: TSchema): string {
  const { data, ...rest } = (page as Keywords).properties!;
  return `{ data: nodes ${selectionOf(data!)} ${Object.keys(rest).join(' ')} }`;
}
