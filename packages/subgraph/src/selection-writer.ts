import {
  GraphQLError,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLLeafType,
  type GraphQLNullableType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** Gives a value as it is answered. @throws Error where it does not fit its type: GraphQL would answer with errors. */
type Complete = (value: unknown) => unknown;

/**
 * Compiles the selection of a field into the function that writes what its resolver gives as JSON, as GraphQL would answer it.
 * @throws Error (the function) where a value does not fit its type: GraphQL would answer with errors.
 * @returns null where that takes more than reading properties: for fields with a resolver or arguments of their own,
 * fragments, directives, fields asked for twice, and types that only a value tells.
 */
export function compileWriter(type: GraphQLOutputType, field: FieldNode): ((value: unknown) => string) | null {
  const complete = completionOf(type, field);
  // Writing all of it at once takes half of what it takes value by value.
  return complete && ((value) => JSON.stringify(complete(value)));
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
    // GraphQL would wait for a promise and throw an Error; text scalars would write any object.
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

interface CompletedField {
  name: string;
  property: string;
  complete: Complete;
}

function ofObject(type: GraphQLObjectType, { selections }: SelectionSetNode): Complete | null {
  const fields: CompletedField[] = [];
  for (const selection of selections) {
    const field = fieldOf(type, selection);
    if (!field || fields.some(({ name }) => name === field.name)) return null;
    fields.push(field);
  }
  return (value) => {
    const from = value as Readonly<Record<string, unknown>>;
    const answered: Record<string, unknown> = {};
    for (const { name, property, complete } of fields) answered[name] = complete(from[property]);
    return answered;
  };
}

function fieldOf(type: GraphQLObjectType, node: SelectionNode): CompletedField | null {
  if (node.kind !== Kind.FIELD || node.directives?.length) return null;
  const property = node.name.value;
  const name = node.alias?.value ?? property;
  // Not a property like others.
  if (name === '__proto__') return null;
  if (property === '__typename') return { name, property, complete: () => type.name };
  const field = type.getFields()[property];
  if (!field || field.resolve || field.args.length > 0) return null;
  const complete = completionOf(field.type, node);
  return complete && { name, property, complete };
}
