import {
  execute,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  isNonNullType,
  Kind,
  locatedError,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  type OperationDefinitionNode,
} from 'graphql';
import { compileWriter } from './selection-writer.js';

/** The value of the one field that was asked for, as JSON: there were no errors. */
export interface TextResult {
  text: string;
  errors?: undefined;
}

/** A query of one field, all of whose answer follows from what the field's resolver gives. */
interface TextQuery {
  field: FieldNode;
  /** The query without the field's selection. */
  document: DocumentNode;
  write: (value: unknown) => string;
}

/** Runs operations by graphql-js, and on request leaves the writing of the answer to a compiled writer (ADR 07). */
export class Executor {
  private readonly known = new WeakMap<OperationDefinitionNode, TextQuery | null>();
  private readonly wholeFields: GraphQLSchema;

  constructor(private readonly schema: GraphQLSchema) {
    this.wholeFields = withWholeFields(schema);
  }

  /** `mayBeText`: a result without errors comes as text where it can. */
  async run(
    operation: OperationDefinitionNode,
    asked: Omit<ExecutionArgs, 'schema'>,
    mayBeText: boolean,
  ): Promise<ExecutionResult | TextResult> {
    const query = mayBeText ? this.textQueryOf(operation) : null;
    if (!query) return await execute({ schema: this.schema, ...asked });
    const { field, document, write } = query;
    const result = await execute({ schema: this.wholeFields, ...asked, document });
    if (result.errors) return result;
    const name = (field.alias ?? field.name).value;
    try {
      return { text: write(result.data?.[name]) };
    } catch (error) {
      return { data: null, errors: [locatedError(error, [field], [name])] };
    }
  }

  private textQueryOf(operation: OperationDefinitionNode): TextQuery | null {
    let query = this.known.get(operation);
    if (query === undefined) {
      query = this.compile(operation);
      this.known.set(operation, query);
    }
    return query;
  }

  private compile(operation: OperationDefinitionNode): TextQuery | null {
    const [field, ...others] = operation.selectionSet.selections;
    if (operation.operation !== OperationTypeNode.QUERY || field?.kind !== Kind.FIELD || others.length > 0) return null;
    if (operation.directives?.length || field.directives?.length) return null;
    const definition = this.schema.getQueryType()?.getFields()[field.name.value];
    const write = definition ? compileWriter(definition.type, field) : null;
    if (!write) return null;
    const { selectionSet: _nodes, ...whole } = field;
    const bare: OperationDefinitionNode = {
      ...operation,
      selectionSet: { kind: Kind.SELECTION_SET, selections: [whole] },
    };
    return { field, document: { kind: Kind.DOCUMENT, definitions: [bare] }, write };
  }
}

/** What a resolver gives, as it is. */
const Whole = new GraphQLScalarType({ name: 'Whole', serialize: (value) => value });

/** The queries of a schema, with their arguments and resolvers, as fields that nothing is selected of. */
function withWholeFields(schema: GraphQLSchema): GraphQLSchema {
  const { fields, ...config } = schema.getQueryType()!.toConfig();
  const whole = Object.entries(fields).map(([name, field]) => {
    const type = isNonNullType(field.type) ? new GraphQLNonNull(Whole) : Whole;
    return [name, { ...field, type }] as const;
  });
  const query = new GraphQLObjectType({ ...config, fields: Object.fromEntries(whole) });
  return new GraphQLSchema({ query, assumeValid: true });
}
