import { ROLES, MEMBERS_OR_INTERNAL } from '@payroll/kernel';
import { field, NULLABLE, VisibleTo } from '@payroll/service';
import { ObjectType, Query, Resolver } from 'type-graphql';
import { ReaderOf, SUPPORTERS } from './readers.js';

@VisibleTo({ teams: SUPPORTERS, people: ROLES })
@ObjectType({ description: 'What this installation offers, whatever the workspace.' })
export class Installation {
  @field.text('Where programs find the REST API.') restUrl!: string;
  @field.text('Where assistants find the MCP server; null where there is none.', NULLABLE) mcpUrl!: string | null;
  @field.boolean('Whether it sends mail, such as invitations.') sendsMail!: boolean;
  @field.boolean('Whether assistants sign in at an authorization server outside, which knows of no connection.')
  hasOutsideIssuer!: boolean;
}

@Resolver()
export class InstallationResolver {
  constructor(private readonly facts: Installation) {}

  @VisibleTo({ teams: SUPPORTERS, people: ROLES })
  @Query(() => Installation, { description: 'The installation that the workspace is on.' })
  installation(@ReaderOf(MEMBERS_OR_INTERNAL) _reader: unknown): Installation {
    return this.facts;
  }
}
