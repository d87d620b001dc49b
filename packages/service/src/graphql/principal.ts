import { Directive, ObjectType } from 'type-graphql';
import * as field from './fields.js';
import { ALL_ROLES, ALL_TEAMS, VisibleToPeople, VisibleToTeams } from './permissions.js';

/** In every service but workspaces, which knows more. */
@VisibleToTeams(...ALL_TEAMS)
@VisibleToPeople(...ALL_ROLES)
@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ description: 'Who did something; workspaces knows the name.' })
export class Principal {
  @field.id('As the audit trails have it, a UUID.') id!: string;
}
