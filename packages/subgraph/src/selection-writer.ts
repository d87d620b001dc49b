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

/** Gives the JSON of a value. @throws Error where the value does not fit its type: GraphQL would answer with errors. */
export type WriteJson = (value: unknown) => string;

/**
 * Compiles the selection of a field into the function that writes what its resolver gives, as GraphQL would answer it.
 * @returns null where that takes more than reading properties: for fields with a resolver or arguments of their own,
 * fragments, directives, fields asked for twice, and types that only a value tells.
 */
export function compileWriter(type: GraphQLOutputType, field: FieldNode): WriteJson | null {
  const where = field.name.value;
  const isRequired = isNonNullType(type);
  const write = writerOf(isRequired ? type.ofType : type, field);
  if (!write) return null;
  return (value) => {
    if (value !== null && value !== undefined) return write(value);
    if (isRequired) throw new GraphQLError(`Cannot return null for the non-nullable field ${where}.`);
    return 'null';
  };
}

function writerOf(type: GraphQLNullableType & GraphQLOutputType, field: FieldNode): WriteJson | null {
  if (isLeafType(type)) return leafWriter(type);
  if (isListType(type)) return listWriter(type.ofType, field);
  return isObjectType(type) && field.selectionSet ? objectWriter(type, field.selectionSet) : null;
}

function leafWriter(type: GraphQLLeafType): WriteJson {
  return (value) => {
    // GraphQL would wait for a promise and throw an Error; text scalars would write any object.
    if (typeof value === 'object' || typeof value === 'function') throw new GraphQLError(`${type.name}: not a value`);
    return JSON.stringify(type.serialize(value));
  };
}

function listWriter(type: GraphQLOutputType, field: FieldNode): WriteJson | null {
  const write = compileWriter(type, field);
  if (!write) return null;
  return (values) => {
    if (!Array.isArray(values)) throw new GraphQLError(`Expected a list for the field ${field.name.value}.`);
    return `[${values.map(write).join(',')}]`;
  };
}

interface WrittenField {
  property: string;
  /** What stands before its value: `,"name":`. */
  head: string;
  write: WriteJson;
}

function objectWriter(type: GraphQLObjectType, { selections }: SelectionSetNode): WriteJson | null {
  const fields: WrittenField[] = [];
  for (const selection of selections) {
    const field = fieldOf(type, selection, fields.length === 0 ? '{' : ',');
    if (!field || fields.some(({ head }) => head.slice(1) === field.head.slice(1))) return null;
    fields.push(field);
  }
  return (value) => {
    const from = value as Readonly<Record<string, unknown>>;
    let text = '';
    for (const { head, property, write } of fields) text += head + write(from[property]);
    return `${text}}`;
  };
}

function fieldOf(type: GraphQLObjectType, node: SelectionNode, mark: '{' | ','): WrittenField | null {
  if (node.kind !== Kind.FIELD || node.directives?.length) return null;
  const property = node.name.value;
  const head = `${mark}${JSON.stringify((node.alias ?? node.name).value)}:`;
  if (property === '__typename') return { property, head, write: () => JSON.stringify(type.name) };
  const field = type.getFields()[property];
  if (!field || field.resolve || field.args.length > 0) return null;
  const write = compileWriter(field.type, node);
  return write && { property, head, write };
}
