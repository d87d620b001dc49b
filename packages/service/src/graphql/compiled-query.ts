import {
  GraphQLError,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  OperationTypeNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLFieldResolver,
  type GraphQLLeafType,
  type GraphQLNullableType,
  type GraphQLOutputType,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** A query whose answer needs no more than the properties of its root fields' values. */
export interface CompiledQuery {
  /** The query without the selections of its root fields, to run against `withWholeFields`. */
  document: DocumentNode;
  /**
   * Reduces the root fields' values to what was selected.
   * @throws Error if a value does not match its type
   */
  complete: (data: Record<string, unknown>) => Record<string, unknown>;
}

/**
 * @returns null for a query that needs more than reading properties: mutations, fields below the root with a resolver or
 * arguments, fragments, directives, fields selected twice, and abstract types
 */
export function compileQuery(schema: GraphQLSchema, operation: OperationDefinitionNode): CompiledQuery | null {
  const type = schema.getQueryType();
  if (operation.operation !== OperationTypeNode.QUERY || operation.directives?.length || !type) return null;
  const fields = fieldsOf(type, operation.selectionSet, true);
  if (!fields) return null;
  const selections = fields.map(({ node: { selectionSet: _selected, ...whole } }) => whole);
  const bare = { ...operation, selectionSet: { kind: Kind.SELECTION_SET, selections } } as const;
  return {
    document: { kind: Kind.DOCUMENT, definitions: [bare] },
    complete: (data) => {
      // Not the object of graphql-js: it has no prototype, and V8 serializes everything below it much more slowly.
      const answered: Record<string, unknown> = {};
      for (const { name, complete } of fields) answered[name] = complete(data[name]);
      return answered;
    },
  };
}

/** Passes a resolver's value through. */
const RawValue = new GraphQLScalarType({ name: 'Whole', serialize: (value) => value });

/** A schema with the same queries, arguments and resolvers, whose fields are their resolvers' whole values. */
export function withWholeFields(schema: GraphQLSchema): GraphQLSchema {
  const { fields, ...config } = schema.getQueryType()!.toConfig();
  const whole = Object.entries(fields).map(([name, { resolve, ...field }]) => {
    const type = isNonNullType(field.type) ? new GraphQLNonNull(RawValue) : RawValue;
    return [name, { ...field, type, ...(resolve && { resolve: withoutInfo(resolve) }) }] as const;
  });
  const query = new GraphQLObjectType({ ...config, fields: Object.fromEntries(whole) });
  return new GraphQLSchema({ query, assumeValid: true });
}

/** `info` would describe the schema of whole fields, which knows no permissions. */
function withoutInfo(resolve: GraphQLFieldResolver<unknown, unknown>): GraphQLFieldResolver<unknown, unknown> {
  return (root, args, context) => resolve(root, args, context, undefined as never);
}

/** Completes a value as GraphQL does. @throws Error if it does not match its type */
type Complete = (value: unknown) => unknown;

interface CompiledField {
  name: string;
  property: string;
  node: FieldNode;
  complete: Complete;
}

function fieldsOf(type: GraphQLObjectType, { selections }: SelectionSetNode, isRoot = false): CompiledField[] | null {
  const fields = new Map<string, CompiledField>();
  for (const selection of selections) {
    const field = fieldOf(type, selection, isRoot);
    if (!field || fields.has(field.name)) return null;
    fields.set(field.name, field);
  }
  return [...fields.values()];
}

function fieldOf(type: GraphQLObjectType, node: SelectionNode, isRoot: boolean): CompiledField | null {
  if (node.kind !== Kind.FIELD || node.directives?.length) return null;
  const property = node.name.value;
  const name = node.alias?.value ?? property;
  // Assigning it would set the prototype.
  if (name === '__proto__') return null;
  if (property === '__typename') return { name, property, node, complete: () => type.name };
  const field = type.getFields()[property];
  if (!field || (!isRoot && (field.resolve || field.args.length > 0))) return null;
  const complete = completionOf(field.type, node);
  return complete && { name, property, node, complete };
}

function completionOf(type: GraphQLOutputType, field: FieldNode): Complete | null {
  const isRequired = isNonNullType(type);
  const complete = ofPresent(isRequired ? type.ofType : type, field);
  if (!complete) return null;
  return (value) => {
    if (value !== null && value !== undefined) return complete(value);
    if (isRequired) throw new GraphQLError(`Cannot return null for the non-nullable field ${field.name.value}.`);
    return null;
  };
}

function ofPresent(type: GraphQLNullableType & GraphQLOutputType, field: FieldNode): Complete | null {
  if (isLeafType(type)) return ofLeaf(type);
  if (isListType(type)) return ofList(type.ofType, field);
  return isObjectType(type) && field.selectionSet ? ofObject(type, field.selectionSet) : null;
}

function ofLeaf(type: GraphQLLeafType): Complete {
  return (value) => {
    // GraphQL would wait for a promise and call a function; text scalars would write any object.
    if (typeof value === 'object' || typeof value === 'function') throw new GraphQLError(`${type.name}: not a value`);
    return type.serialize(value);
  };
}

function ofList(type: GraphQLOutputType, field: FieldNode): Complete | null {
  const complete = completionOf(type, field);
  if (!complete) return null;
  return (values) => {
    if (!Array.isArray(values)) throw new GraphQLError(`Expected a list for the field ${field.name.value}.`);
    return values.map(complete);
  };
}

function ofObject(type: GraphQLObjectType, selected: SelectionSetNode): Complete | null {
  const fields = fieldsOf(type, selected);
  if (!fields) return null;
  return (value) => {
    const from = value as Readonly<Record<string, unknown>>;
    const answered: Record<string, unknown> = {};
    for (const { name, property, complete } of fields) answered[name] = complete(from[property]);
    return answered;
  };
}
