import { buildSubgraphSchema, printSubgraphSchema } from '@apollo/subgraph';
import { isInputObjectType, parse } from 'graphql';
import { buildSchema, createResolversMap, type ClassType } from 'type-graphql';
import { CalendarDate, Decimal, Timestamp } from './scalars.js';
import type { SubgraphContext } from './context.js';

/** `@teams` and `@people` are composed, so that the supergraph also declares who may use a field. */
const FEDERATION = `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@external", "@composeDirective"])
  @link(url: "https://payroll.internal/teams/v1.0", import: ["@teams"])
  @link(url: "https://payroll.internal/people/v1.0", import: ["@people"])
  @composeDirective(name: "@teams")
  @composeDirective(name: "@people")

"Which teams of the internal endpoint may use a field, or the fields of a type that say nothing themselves."
directive @teams(of: [String!]!) on OBJECT | FIELD_DEFINITION

"Which members of the workspace may read a field in the application, or the fields of a type that say nothing themselves."
directive @people(of: [String!]!) on OBJECT | FIELD_DEFINITION

`;

/** Finds an entity other subgraphs point at, by its key fields. */
type ReferenceResolver = (reference: { id: string }, context: SubgraphContext) => Promise<unknown>;

export interface SubgraphDefinition {
  /** Resolver instances, with their dependencies as constructor arguments. */
  resolvers: readonly object[];
  orphanedTypes?: readonly ClassType[];
  references: Readonly<Record<string, ReferenceResolver>>;
}

/** @returns the schema, and `sdl`: the same as text, for composition */
export async function buildSubgraph({ resolvers, orphanedTypes, references }: SubgraphDefinition) {
  const instances = new Map<unknown, object>(resolvers.map((instance) => [instance.constructor, instance]));
  const classes = resolvers.map((instance) => instance.constructor as ClassType);
  const schema = await buildSchema({
    resolvers: classes as [ClassType, ...ClassType[]],
    ...(orphanedTypes && { orphanedTypes: [...orphanedTypes] }),
    container: { get: (someClass) => instances.get(someClass as unknown) },
    scalarsMap: [],
    validate: false,
    // Federation's directives are known to the composed schema only.
    skipCheck: true,
  });
  // A class that is sent and shown says who may see it; as an input it has no readers.
  for (const type of Object.values(schema.getTypeMap())) if (isInputObjectType(type)) type.astNode = null;
  const sdl = FEDERATION + printSubgraphSchema(schema);
  const resolversMap: Record<string, object> = { ...createResolversMap(schema), Timestamp, CalendarDate, Decimal };
  for (const [type, resolve] of Object.entries(references)) {
    resolversMap[type] = { ...resolversMap[type], __resolveReference: resolve };
  }
  return { schema: buildSubgraphSchema([{ typeDefs: parse(sdl), resolvers: resolversMap as never }]), sdl };
}
