import type { ApolloServerPlugin, BaseContext } from '@apollo/server';
import {
  getArgumentValues,
  getNamedType,
  getNullableType,
  getVariableValues,
  GraphQLError,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** Far above what a person or a back end needs in one request. */
export const LIMITS = { tokens: 2_000, depth: 10, aliases: 20, cost: 25_000 } as const;

const HINTS = {
  depth: 'ask for what is further down by its id',
  /** Aliases let one operation request a field many times. */
  aliases: 'send the fields in several requests',
  /** The most values that the answer can have; may be Infinity. */
  cost: 'take smaller pages or fewer fields',
} as const;

/** The size of an operation; each fragment is counted every time it is spread. */
type RequestSize = Record<keyof typeof HINTS, number>;

/**
 * Refuses operations that are too large, of a kind that the graph does not have, or not the one that is meant, after validation, which
 * lets all of them pass, and before execution, which would fail on them. The parser limits their length.
 */
export const limitRequests: ApolloServerPlugin<BaseContext> = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation: ({ schema, document, operation, request }) => {
        if (!operation) throw refusal('Say which of its operations you mean, by its name, as operationName.');
        if (!schema.getRootType(operation.operation)) throw refusal(`The graph has no ${operation.operation}.`);
        requireSize(schema, document, operation, request.variables ?? {});
        return Promise.resolve();
      },
    }),
};

function refusal(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'INVALID_REQUEST', http: { status: 400 } } });
}

function requireSize(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Record<string, unknown>,
): void {
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], given);
  // Execution refuses invalid variables.
  if (!coerced) return;
  const size = sizeOf(schema, document, operation, coerced);
  for (const kind of ['depth', 'aliases', 'cost'] as const) {
    if (size[kind] <= LIMITS[kind]) continue;
    throw refusal(`Too large: its ${kind} is ${size[kind]}, at most ${LIMITS[kind]}; ${HINTS[kind]}.`);
  }
}

/** The length assumed for a list without pages, such as the deductions of a payment. */
const UNPAGED_LENGTH = 20;

const NOTHING: RequestSize = { depth: 0, aliases: 0, cost: 0 };

/** In linear time: each fragment is measured once. Introspection is not measured: graphql bounds it in validation. */
export function sizeOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): RequestSize {
  return new Measure(schema, document, variables).ofSelections(
    operation.selectionSet,
    schema.getRootType(operation.operation)!,
  );
}

class Measure {
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  private readonly known = new Map<string, RequestSize>();

  constructor(
    private readonly schema: GraphQLSchema,
    { definitions }: DocumentNode,
    private readonly variables: Readonly<Record<string, unknown>>,
  ) {
    const fragments = definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION);
    this.fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  }

  ofSelections({ selections }: SelectionSetNode, type: GraphQLNamedType): RequestSize {
    return selections.map((node) => this.ofSelection(node, type)).reduce(together, NOTHING);
  }

  private ofSelection(node: SelectionNode, type: GraphQLNamedType): RequestSize {
    switch (node.kind) {
      case Kind.FIELD:
        return this.ofField(node, type);
      case Kind.INLINE_FRAGMENT:
        return this.ofSelections(node.selectionSet, this.typeNamed(node.typeCondition?.name.value) ?? type);
      case Kind.FRAGMENT_SPREAD:
        return this.ofFragment(node.name.value);
    }
  }

  private ofFragment(name: string): RequestSize {
    const { typeCondition, selectionSet } = this.fragments.get(name)!;
    const size = this.known.get(name) ?? this.ofSelections(selectionSet, this.typeNamed(typeCondition.name.value)!);
    this.known.set(name, size);
    return size;
  }

  private ofField(node: FieldNode, type: GraphQLNamedType): RequestSize {
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
    if (!field) return NOTHING;
    const below = getNamedType(field.type);
    const isLeaf = !isCompositeType(below) || !node.selectionSet;
    const each = isLeaf ? NOTHING : this.ofSelections(node.selectionSet, below);
    return {
      depth: 1 + each.depth,
      aliases: (node.alias ? 1 : 0) + each.aliases,
      cost: 1 + this.lengthOf(field, node) * each.cost,
    };
  }

  /** A page has as many nodes as its `limit` says. */
  private lengthOf(field: GraphQLField<unknown, unknown>, node: FieldNode): number {
    const { limit } = getArgumentValues(field, node, this.variables);
    if (typeof limit === 'number') return Math.max(1, limit);
    return isListType(getNullableType(field.type)) && field.name !== 'nodes' ? UNPAGED_LENGTH : 1;
  }

  private typeNamed(name: string | undefined): GraphQLNamedType | undefined {
    return name === undefined ? undefined : this.schema.getType(name);
  }
}

function together(one: RequestSize, other: RequestSize): RequestSize {
  return {
    depth: Math.max(one.depth, other.depth),
    aliases: one.aliases + other.aliases,
    cost: one.cost + other.cost,
  };
}
