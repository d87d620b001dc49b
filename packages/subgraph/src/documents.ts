import {
  GraphQLError,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  type ValidationContext,
} from 'graphql';

/** More operations than the facade and the internal teams' tools have; longer texts than theirs are rare. */
const MOST_KEPT = 500;
const LONGEST_KEPT = 20_000;

/** Routers compose from the committed schemas or `_service { sdl }`. */
const noIntrospection = (context: ValidationContext) => ({
  Field(node: FieldNode) {
    if (node.name.value !== '__schema' && node.name.value !== '__type') return;
    context.reportError(new GraphQLError('A subgraph does not describe itself.', { nodes: node }));
  },
});
const RULES = [...specifiedRules, noIntrospection];

/** Parsed and validated operations by their text: routers send few texts, each of them often. */
export class Documents {
  private readonly kept = new Map<string, DocumentNode>();

  constructor(private readonly schema: GraphQLSchema) {}

  /** @returns GraphQL's errors for a text that does not fit the schema. */
  read(text: string): DocumentNode | readonly GraphQLError[] {
    const known = this.kept.get(text);
    if (known) return known;
    let document: DocumentNode;
    try {
      document = parse(text);
    } catch (error) {
      if (error instanceof GraphQLError) return [error];
      throw error;
    }
    const errors = validate(this.schema, document, RULES);
    if (errors.length > 0) return errors;
    if (text.length <= LONGEST_KEPT) this.keep(text, document);
    return document;
  }

  private keep(text: string, document: DocumentNode): void {
    const [oldest] = this.kept.keys();
    if (this.kept.size >= MOST_KEPT && oldest !== undefined) this.kept.delete(oldest);
    this.kept.set(text, document);
  }
}
