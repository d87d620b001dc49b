import { type Actor, DomainError, type Team, teamOf } from '@payroll/kernel';
import {
  type DocumentNode,
  getDirectiveValues,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { Directive } from 'type-graphql';

/** Who of the internal endpoint may use a field, or the fields of a type that say nothing. Without a list: nobody. */
export function Teams(...teams: readonly Team[]): ReturnType<typeof Directive> {
  return Directive(`@teams(of: [${teams.map((team) => `"${team}"`).join(', ')}])`);
}

/** For what tells nothing of money and nothing of persons. */
export const EVERYBODY: readonly Team[] = ['service', 'read_only', 'support', 'operations', 'finance'];

/** For what was agreed on and what it costs. */
export const TERMS_READERS: readonly Team[] = ['service', 'support', 'operations', 'finance'];

/** For names and addresses of persons. */
export const PERSONS_READERS: readonly Team[] = ['service', 'support', 'operations', 'finance'];

interface UsedField {
  /** `Type.field` */
  coordinate: string;
  teams: readonly Team[];
}

type Definition = GraphQLNamedType['astNode'] | GraphQLField<unknown, unknown>['astNode'];

/** Whether a team may run a document, whole or not at all. Scopes and roles bound others: they pay nothing for this. */
export class TeamPermissions {
  private readonly known = new WeakMap<DocumentNode, readonly UsedField[]>();

  constructor(private readonly schema: GraphQLSchema) {}

  /** @throws DomainError `INSUFFICIENT_SCOPE` naming the first field that is not for the actor's team. */
  require(actor: Actor, document: DocumentNode): void {
    const team = teamOf(actor);
    if (team === null) return;
    const denied = this.fieldsOf(document).find(({ teams }) => !teams.includes(team));
    if (denied === undefined) return;
    const { coordinate, teams } = denied;
    const others = teams.length === 0 ? 'nobody' : teams.join(', ');
    throw new DomainError('INSUFFICIENT_SCOPE', `${coordinate} is not for the team ${team}; it is for: ${others}.`);
  }

  /** The field's own list, else that of its type; empty where there is neither. */
  teamsOf(type: GraphQLNamedType, field: GraphQLField<unknown, unknown>): readonly Team[] {
    return this.listOn(field.astNode) ?? this.listOn(type.astNode) ?? [];
  }

  private listOn(node: Definition): readonly Team[] | undefined {
    const directive = this.schema.getDirective('teams');
    if (!directive || !node) return undefined;
    return getDirectiveValues(directive, node)?.['of'] as readonly Team[] | undefined;
  }

  private fieldsOf(document: DocumentNode): readonly UsedField[] {
    const fields = this.known.get(document) ?? this.findFields(document);
    this.known.set(document, fields);
    return fields;
  }

  private findFields(document: DocumentNode): UsedField[] {
    const found: UsedField[] = [];
    const typeInfo = new TypeInfo(this.schema);
    const enterField = (): void => {
      const [type, field] = [typeInfo.getParentType(), typeInfo.getFieldDef()];
      if (!type || !field || isMachinery(type.name, field.name)) return;
      found.push({ coordinate: `${type.name}.${field.name}`, teams: this.teamsOf(type, field) });
    };
    visit(document, visitWithTypeInfo(typeInfo, { Field: enterField }));
    return found;
  }
}

/** Introspection, and what routers need: `_entities` shows nothing but fields that have lists, `_service` the schema. */
function isMachinery(type: string, field: string): boolean {
  return type.startsWith('__') || field.startsWith('__') || type === '_Service' || ROUTERS_FIELDS.has(field);
}

const ROUTERS_FIELDS: ReadonlySet<string> = new Set(['_entities', '_service']);
