import type { Actor } from '@payroll/kernel';
import { FieldPermissions } from '@payroll/subgraph';
import { type DocumentNode, type GraphQLSchema, parse } from 'graphql';

/** The searched columns, each with the document that would read it. */
const CONTRACTS = {
  title: parse('{ contracts { nodes { title } } }'),
  workerName: parse('{ contracts { nodes { worker { name } } } }'),
  externalReference: parse('{ contracts { nodes { details { externalReference } } } }'),
};

const WORKERS = {
  name: parse('{ workers { nodes { name } } }'),
  email: parse('{ workers { nodes { email } } }'),
};

const known = new WeakMap<GraphQLSchema, FieldPermissions>();

function readable<Name extends string>(
  documents: Readonly<Record<Name, DocumentNode>>,
  { schema }: { schema: GraphQLSchema },
  actor: Actor,
): Name[] {
  const permissions = known.get(schema) ?? new FieldPermissions(schema);
  known.set(schema, permissions);
  return (Object.keys(documents) as Name[]).filter((name) => permissions.may(actor, documents[name]));
}

export const searchedOfContracts = (info: { schema: GraphQLSchema }, actor: Actor) => readable(CONTRACTS, info, actor);

export const searchedOfWorkers = (info: { schema: GraphQLSchema }, actor: Actor) => readable(WORKERS, info, actor);
