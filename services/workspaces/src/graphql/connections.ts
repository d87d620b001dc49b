import { ROLES, ADMINS_OR_INTERNAL, MEMBERS_OR_INTERNAL, SCOPES, type Actor, type Origin } from '@payroll/kernel';
import {
  enumOf,
  field,
  IdArg,
  NULLABLE,
  MutationCtx,
  PageArguments,
  pageType,
  VisibleTo,
  type ServiceDependencies,
} from '@payroll/service';
import type { Page } from '@payroll/store';
import { Arg, Args, ArgsType, ID, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { disableMcpClient, enableMcpClient, renewMcpConnection, revokeMcpConnection } from '../commands/connections.js';
import { CLIENT_STATUSES, type ClientStatus } from '../domain/connection.js';
import { listMcpClients, listMcpConnections } from '../queries/credentials.js';
import { ReaderOf, SUPPORTERS } from './readers.js';

const ClientStatusEnum = enumOf(
  'McpClientStatus',
  CLIENT_STATUSES,
  'Whether members may connect it; asked when somebody tried and no admin has decided.',
);

@VisibleTo({ teams: SUPPORTERS, people: ['admin'] })
@ObjectType({ description: 'An assistant that members can connect once an admin has enabled it.' })
class McpClient {
  @field.id('As the authorization server knows it.') id!: string;
  @field.text('As it calls itself.') name!: string;
  @field.of(() => [String], 'Where it is.') hosts!: readonly string[];
  @field.of(() => ClientStatusEnum, 'Whether members may connect with it.') status!: ClientStatus;
  @field.time('When its status changed last.') changedAt!: string;
}

@InputType({ description: 'A client to enable, as its maker describes it.' })
class McpClientInput {
  @field.id('The OAuth client id, as the assistant sends it.') id!: string;
  @field.text('1–200 characters.') name!: string;
}

@VisibleTo({ teams: SUPPORTERS, people: ROLES })
@ObjectType({ description: 'What one consent lets a client do for a member; an integration principal of its own.' })
class McpConnection {
  @field.id('Its id, a UUID.') id!: string;
  @field.id('The assistant, by its OAuth client id.') clientId!: string;
  @field.text('The assistant, as it calls itself.') clientName!: string;
  @field.id('The membership that it acts as.') memberId!: string;
  @field.text('Who connected it.') memberName!: string;
  @field.id('Kept over refresh; another consent has another one.') principalId!: string;
  @field.of(() => [String], `Of ${SCOPES.join(', ')}; the member's role bounds them at any time.`)
  scopes!: readonly string[];
  @field.time('When it was first connected.') createdAt!: string;
  @field.time('To the minute.', NULLABLE) lastUsedAt!: string | null;
  @field.time('When it was ended; null while it works.', NULLABLE) revokedAt!: string | null;
}

const McpConnectionPage = pageType(McpConnection, 'connections', SUPPORTERS);

@ArgsType()
class ConnectionListArguments extends PageArguments {
  @field.boolean('Whether ended ones are listed too.', { defaultValue: false }) includeRevoked!: boolean;
}

@Resolver()
export class ConnectionResolver {
  constructor(private readonly parts: Pick<ServiceDependencies, 'em' | 'commands'>) {}

  @VisibleTo({ teams: SUPPORTERS, people: ['admin'] })
  @Query(() => [McpClient], {
    description: 'Assistants that are enabled, were asked for or are disabled, in this order.',
  })
  mcpClients(@ReaderOf(ADMINS_OR_INTERNAL) { workspaceId }: Actor): Promise<McpClient[]> {
    return listMcpClients(this.parts.em, workspaceId);
  }

  @VisibleTo({ teams: SUPPORTERS, people: ROLES })
  @Query(() => McpConnectionPage, {
    description: 'Connections of assistants, newest first. Members who are no admins get their own.',
  })
  mcpConnections(
    @Args(() => ConnectionListArguments) request: ConnectionListArguments,
    @ReaderOf(MEMBERS_OR_INTERNAL) reader: Actor,
  ): Promise<Page<McpConnection>> {
    return listMcpConnections(this.parts.em, reader, request);
  }

  @VisibleTo({ teams: ['service'] })
  @Mutation(() => McpClient, {
    description: 'Lets every member connect this assistant, each with what the own role allows.',
  })
  enableMcpClient(
    @Arg('input', () => McpClientInput, { description: 'The assistant to allow.' }) { id, name }: McpClientInput,
    @MutationCtx() origin: Origin,
  ): Promise<McpClient> {
    return this.parts.commands.run(enableMcpClient, { id, name }, origin);
  }

  @VisibleTo({ teams: SUPPORTERS })
  @Mutation(() => McpClient, {
    description: 'Ends all its connections from the next request on; nobody can make new ones.',
  })
  disableMcpClient(
    @Arg('id', () => ID, { description: 'The OAuth client id.' }) id: string,
    @MutationCtx() origin: Origin,
  ): Promise<McpClient> {
    return this.parts.commands.run(disableMcpClient, { id }, origin);
  }

  @VisibleTo({ teams: [], people: ROLES })
  @Mutation(() => McpConnection, {
    description: 'For whom it acted: what was ended is allowed again, as a new connection with its own principal.',
  })
  renewMcpConnection(
    @IdArg('connection that was ended') id: string,
    @MutationCtx() origin: Origin,
  ): Promise<McpConnection> {
    return this.parts.commands.run(renewMcpConnection, { id }, origin);
  }

  @VisibleTo({ teams: SUPPORTERS })
  @Mutation(() => McpConnection, { description: 'For ever, from the next request on.' })
  revokeMcpConnection(@IdArg('connection') id: string, @MutationCtx() origin: Origin): Promise<McpConnection> {
    return this.parts.commands.run(revokeMcpConnection, { id }, origin);
  }
}
