import {
  execute,
  GraphQLError,
  Kind,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValidationContext,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { compileQuery, withWholeFields, type CompiledQuery } from './compiled-query.js';

/** An operation, parsed, validated and compiled once for all requests with the same text. */
export interface Prepared {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  compiled: CompiledQuery | null;
}

/** `errors`: why the document is not valid for the schema. */
export interface Parsed {
  errors: readonly GraphQLError[];
  operations: readonly Prepared[];
}

type Asked = Pick<ExecutionArgs, 'contextValue' | 'variableValues'>;

/** More operations than the edges and the internal teams' tools have; longer texts than theirs are rare. */
const MAX_CACHE_ENTRIES = 500;
const LONGEST_KEPT = 20_000;

/** Routers compose from the committed schemas or `_service { sdl }`. */
const noIntrospection = (context: ValidationContext) => ({
  Field(node: FieldNode) {
    if (node.name.value !== '__schema' && node.name.value !== '__type') return;
    context.reportError(new GraphQLError('A subgraph does not describe itself.', { nodes: node }));
  },
});
const RULES = [...specifiedRules, noIntrospection];

/** Runs operations with graphql-js; of a compiled query only the root fields (ADR 07). */
export class Executor {
  private readonly kept = new LRUCache<string, Parsed>({ max: MAX_CACHE_ENTRIES });
  private readonly wholeFields: GraphQLSchema;

  constructor(private readonly schema: GraphQLSchema) {
    this.wholeFields = withWholeFields(schema);
  }

  read(text: string): Parsed {
    const known = this.kept.get(text);
    if (known) return known;
    const parsed = this.parse(text);
    if (parsed.errors.length === 0 && text.length <= LONGEST_KEPT) this.kept.set(text, parsed);
    return parsed;
  }

  async run({ document, operation, compiled }: Prepared, asked: Asked): Promise<ExecutionResult> {
    const operationName = operation.name?.value;
    const byGraphql = () => execute({ schema: this.schema, document, operationName, ...asked });
    if (!compiled) return await byGraphql();
    const result = await execute({ schema: this.wholeFields, document: compiled.document, ...asked });
    try {
      return result.data ? { ...result, data: compiled.complete(result.data) } : result;
    } catch {
      // A value does not match its type: graphql-js produces the errors and the rest of the result.
      return await byGraphql();
    }
  }

  private parse(text: string): Parsed {
    try {
      const document = parse(text);
      const errors = validate(this.schema, document, RULES);
      if (errors.length > 0) return { errors, operations: [] };
      const operations = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
      const prepare = (operation: OperationDefinitionNode): Prepared => {
        return { document, operation, compiled: compileQuery(this.schema, operation) };
      };
      return { errors, operations: operations.map(prepare) };
    } catch (error) {
      if (error instanceof GraphQLError) return { errors: [error], operations: [] };
      throw error;
    }
  }
}
