import { type Actor, DomainError, isDomainError, refuseUnlisted, type Role, type Team } from '@payroll/kernel';
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

interface Readers {
  /** Teams of the internal endpoint. */
  teams?: readonly Team[];
  /** Members of the workspace, in the application; `worker` for what a worker may read and change of their own. */
  people?: readonly (Role | 'worker')[];
}

/** The readers of a field, or of the fields of a type that say nothing. A list that neither has is empty. */
export function VisibleTo(readers: Readers): ReturnType<typeof Directive> {
  const directives = Object.entries(readers).map(([listing, words]: [string, readonly string[]]) =>
    Directive(`@${listing}(of: [${words.map((word) => `"${word}"`).join(', ')}])`),
  );
  // As decorators that stand one below the other.
  return ((...decorated: Parameters<ClassDecorator>) => {
    for (const directive of directives.toReversed()) directive(...decorated);
  }) as ReturnType<typeof Directive>;
}

/** For what was agreed on and what it costs. */
export const TERMS_READERS: readonly Team[] = ['service', 'support', 'operations', 'finance'];

/** For names and addresses of persons. */
export const PERSONS_READERS: readonly Team[] = ['service', 'support', 'operations', 'finance'];

type Listing = 'teams' | 'people';

interface UsedField {
  /** `Type.field` */
  coordinate: string;
  /** Whether it is a change, whose command asks members by itself. */
  isChange: boolean;
  /** Whether only routers need it: `_entities` shows nothing but fields that have lists, `_service` the schema. */
  isForRouters: boolean;
  readers: Readonly<Record<Listing, readonly string[]>>;
}

type Definition = GraphQLNamedType['astNode'] | GraphQLField<unknown, unknown>['astNode'];

/**
 * Whether an internal team, a member by their role, or a worker may run a document, whole or not at all. Keys and
 * connections are bound by scopes and role: they pay nothing for this.
 */
export class FieldPermissions {
  private readonly known = new WeakMap<DocumentNode, readonly UsedField[]>();

  constructor(private readonly schema: GraphQLSchema) {}

  /** @throws DomainError `INSUFFICIENT_SCOPE` naming the first field that is not for the actor's team or role. */
  require(actor: Actor, document: DocumentNode): void {
    switch (actor.kind) {
      case 'person':
        return this.requireListed(document, 'people', actor.role ?? 'none', ({ isChange }) => isChange);
      case 'worker':
        return this.requireOwn(document);
      case 'staff':
        return this.requireListed(document, 'teams', actor.team);
      case 'service':
        return this.requireListed(document, 'teams', 'service');
      case 'api_key':
      case 'connection':
      case 'system':
        return;
      default:
        return refuseUnlisted(actor);
    }
  }

  /** Whether the actor may read it. Search uses only fields that the reader may read. */
  may(actor: Actor, document: DocumentNode): boolean {
    try {
      this.require(actor, document);
      return true;
    } catch (error) {
      if (isDomainError(error, 'INSUFFICIENT_SCOPE')) return false;
      throw error;
    }
  }

  /** A worker gets fields and changes of their own alone, and nothing by an id that a document names (`_entities`). */
  private requireOwn(document: DocumentNode): void {
    const denied = this.fieldsOf(document).find(({ readers }) => !readers.people.includes('worker'));
    if (denied !== undefined) throw new DomainError('INSUFFICIENT_SCOPE', `${denied.coordinate} is not for workers.`);
  }

  private requireListed(
    document: DocumentNode,
    listing: Listing,
    who: string,
    isFree: (field: UsedField) => boolean = () => false,
  ): void {
    const denied = this.fieldsOf(document).find(
      (field) => !field.readers[listing].includes(who) && !field.isForRouters && !isFree(field),
    );
    if (denied === undefined) return;
    const { coordinate, readers } = denied;
    const others = readers[listing].length === 0 ? 'nobody' : readers[listing].join(', ');
    const word = listing === 'teams' ? 'team' : 'role';
    throw new DomainError('INSUFFICIENT_SCOPE', `${coordinate} is not for the ${word} ${who}; it is for: ${others}.`);
  }

  /** The field's own list, else that of its type; empty where there is neither. */
  private listOf(listing: Listing, type: GraphQLNamedType, field: GraphQLField<unknown, unknown>): readonly string[] {
    return this.listOn(listing, field.astNode) ?? this.listOn(listing, type.astNode) ?? [];
  }

  private listOn(listing: Listing, node: Definition): readonly string[] | undefined {
    const directive = this.schema.getDirective(listing);
    if (!directive || !node) return undefined;
    return getDirectiveValues(directive, node)?.['of'] as readonly string[] | undefined;
  }

  private fieldsOf(document: DocumentNode): readonly UsedField[] {
    const fields = this.known.get(document) ?? this.findFields(document);
    this.known.set(document, fields);
    return fields;
  }

  private findFields(document: DocumentNode): UsedField[] {
    const found: UsedField[] = [];
    const typeInfo = new TypeInfo(this.schema);
    const changes = this.schema.getMutationType();
    const enterField = (): void => {
      const [type, field] = [typeInfo.getParentType(), typeInfo.getFieldDef()];
      if (!type || !field || isIntrospection(type.name, field.name)) return;
      const readers = { teams: this.listOf('teams', type, field), people: this.listOf('people', type, field) };
      const isForRouters = type.name === '_Service' || ROUTERS_FIELDS.has(field.name);
      found.push({ coordinate: `${type.name}.${field.name}`, isChange: type === changes, isForRouters, readers });
    };
    visit(document, visitWithTypeInfo(typeInfo, { Field: enterField }));
    return found;
  }
}

function isIntrospection(type: string, field: string): boolean {
  return type.startsWith('__') || field.startsWith('__');
}

const ROUTERS_FIELDS: ReadonlySet<string> = new Set(['_entities', '_service']);
