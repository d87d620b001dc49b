import { readFileSync } from 'node:fs';
import { Kind, parse, print, visit, type FieldDefinitionNode, type ObjectTypeDefinitionNode } from 'graphql';

/** The composed schema as committed (`npm run schema` writes it). */
export function supergraph(): string {
  return readFileSync(new URL('../supergraph.graphql', import.meta.url), 'utf8');
}

/** Adds the teams of `@teams` to the description of each field, since tools show no directives. */
export function describeTeams(sdl: string): string {
  return print(visit(parse(sdl), { ObjectTypeDefinition: withTeams }));
}

function withTeams(type: ObjectTypeDefinitionNode): ObjectTypeDefinitionNode {
  const fields = type.fields?.map((field) => {
    // A field that is listed for people alone is for no team.
    const isForPeople = [field, type].some((node) => listOn(node, 'people') !== undefined);
    const teams = listOn(field, 'teams') ?? listOn(type, 'teams') ?? (isForPeople ? [] : undefined);
    if (teams === undefined) return field;
    const value = `${field.description?.value ?? ''}\n\nTeams: ${teams.join(', ') || 'none'}.`.trim();
    return { ...field, description: { kind: Kind.STRING, value, block: true } as const };
  });
  return fields === undefined ? type : { ...type, fields };
}

type Listed = Pick<ObjectTypeDefinitionNode | FieldDefinitionNode, 'directives'>;

function listOn({ directives = [] }: Listed, listing: 'teams' | 'people'): readonly string[] | undefined {
  const list = directives.find(({ name }) => name.value === listing)?.arguments?.[0]?.value;
  if (list?.kind !== Kind.LIST) return undefined;
  return list.values.flatMap((each) => (each.kind === Kind.STRING ? [each.value] : []));
}
