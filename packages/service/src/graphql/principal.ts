import { Directive, ObjectType } from 'type-graphql';
import * as field from './fields.js';
import { EVERY_MEMBER, EVERYBODY, People, Teams } from './permissions.js';

/** In every service but workspaces, which knows more. */
@Teams(...EVERYBODY)
@People(...EVERY_MEMBER)
@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ description: 'Who did something; workspaces knows the name.' })
export class Principal {
  @field.id('As the audit trails have it, a UUID.') id!: string;
}
