import { SCOPES } from '@payroll/kernel';
import type { ServiceParts } from '@payroll/service';
import type { Page } from '@payroll/store';
import {
  enumOf,
  field,
  IdOf,
  NULLABLE,
  type Operation,
  OperationOf,
  PageArguments,
  pageOf,
  Teams,
} from '@payroll/subgraph';
import { Arg, Args, ArgsType, ID, InputType, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { disableMcpClient, enableMcpClient } from '../commands/clients.js';
import { revokeMcpConnection } from '../commands/connections.js';
import { CLIENT_STATUSES, type ClientStatus } from '../domain/connection.js';
import { listMcpClients, listMcpConnections } from '../queries/connections.js';
import { InternalReader, SUPPORTERS } from './internal-teams.js';

const ClientStatusEnum = enumOf(
  'McpClientStatus',
  CLIENT_STATUSES,
  'Whether members may connect it; asked when somebody tried and no admin has decided.',
);

@Teams(...SUPPORTERS)
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

@Teams(...SUPPORTERS)
@ObjectType({ description: 'What lets one client act for one member; an integration principal of its own.' })
class McpConnection {
  @field.id('Its id, a UUID.') id!: string;
  @field.id('The assistant, by its OAuth client id.') clientId!: string;
  @field.text('The assistant, as it calls itself.') clientName!: string;
  @field.id('The membership that it acts as.') memberId!: string;
  @field.text('Who connected it.') memberName!: string;
  @field.id('Kept over refresh and repeated sign-in; a new one after a revocation.') principalId!: string;
  @field.of(() => [String], `Of ${SCOPES.join(', ')}; the member's role bounds them at any time.`)
  scopes!: readonly string[];
  @field.time('When it was first connected.') createdAt!: string;
  @field.time('To the minute.', NULLABLE) lastUsedAt!: string | null;
  @field.time('When it was ended; null while it works.', NULLABLE) revokedAt!: string | null;
}

const McpConnectionPage = pageOf(McpConnection, 'connections', SUPPORTERS);

@ArgsType()
class ConnectionListArguments extends PageArguments {
  @field.boolean('Whether ended ones are listed too.', { defaultValue: false }) includeRevoked!: boolean;
}

@Resolver()
export class ConnectionResolver {
  constructor(private readonly parts: Pick<ServiceParts, 'em' | 'commands'>) {}

  @Teams(...SUPPORTERS)
  @Query(() => [McpClient], {
    description: 'Assistants that are enabled, were asked for or are disabled, in this order. For internal teams.',
  })
  mcpClients(@InternalReader() workspaceId: string): Promise<McpClient[]> {
    return listMcpClients(this.parts.em, workspaceId);
  }

  @Teams(...SUPPORTERS)
  @Query(() => McpConnectionPage, { description: 'Connections of assistants, newest first. For internal teams.' })
  mcpConnections(
    @Args(() => ConnectionListArguments) request: ConnectionListArguments,
    @InternalReader() workspaceId: string,
  ): Promise<Page<McpConnection>> {
    return listMcpConnections(this.parts.em, workspaceId, request);
  }

  @Teams('service')
  @Mutation(() => McpClient, {
    description: 'Lets every member connect this assistant, each with what the own role allows.',
  })
  enableMcpClient(
    @Arg('input', () => McpClientInput, { description: 'The assistant to allow.' }) { id, name }: McpClientInput,
    @OperationOf() { origin, operationId }: Operation,
  ): Promise<McpClient> {
    return this.parts.commands.run(enableMcpClient, { id, name, hosts: [] }, origin, operationId);
  }

  @Teams(...SUPPORTERS)
  @Mutation(() => McpClient, {
    description: 'Ends all its connections from the next request on; nobody can make new ones.',
  })
  disableMcpClient(
    @Arg('id', () => ID, { description: 'The OAuth client id.' }) id: string,
    @OperationOf() { origin, operationId }: Operation,
  ): Promise<McpClient> {
    return this.parts.commands.run(disableMcpClient, { id }, origin, operationId);
  }

  @Teams(...SUPPORTERS)
  @Mutation(() => McpConnection, { description: 'For ever, from the next request on.' })
  revokeMcpConnection(
    @IdOf('connection') id: string,
    @OperationOf() { origin, operationId }: Operation,
  ): Promise<McpConnection> {
    return this.parts.commands.run(revokeMcpConnection, { id }, origin, operationId);
  }
}
