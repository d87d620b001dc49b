import 'reflect-metadata';
import type { EntityManager } from '@mikro-orm/postgresql';
import { SCOPES } from '@payroll/kernel';
import type { CommandRunner, Page } from '@payroll/store';
import { OPERATION_ID, Teams, Timestamp, type SubgraphContext } from '@payroll/subgraph';
import {
  Arg,
  Ctx,
  Field,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
} from 'type-graphql';
import { disableMcpClient, enableMcpClient } from '../commands/clients.js';
import { revokeMcpConnection } from '../commands/connections.js';
import type * as domain from '../domain/connection.js';
import { CLIENT_STATUSES, type ClientStatus } from '../domain/connection.js';
import { listMcpClients, listMcpConnections } from '../queries/connections.js';
import { requireInternalReader } from './members.js';

const ClientStatusEnum = Object.fromEntries(CLIENT_STATUSES.map((status) => [status, status]));
registerEnumType(ClientStatusEnum, {
  name: 'McpClientStatus',
  description: 'Whether members may connect it; asked when somebody tried and no admin has decided.',
});

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'An assistant that members can connect once an admin has enabled it.' })
class McpClient implements domain.McpClient {
  @Field(() => ID, { description: 'As the authorization server knows it.' })
  id!: string;

  @Field(() => String, { description: 'As it calls itself.' })
  name!: string;

  @Field(() => [String], { description: 'Where it is.' })
  hosts!: readonly string[];

  @Field(() => ClientStatusEnum, { description: 'Whether members may connect with it.' })
  status!: ClientStatus;

  @Field(() => Timestamp, { description: 'When its status changed last.' })
  changedAt!: string;
}

@InputType({ description: 'A client to enable, as its maker describes it.' })
class McpClientInput {
  @Field(() => ID, { description: 'The OAuth client id, as the assistant sends it.' })
  id!: string;

  @Field(() => String, { description: '1–200 characters.' })
  name!: string;
}

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'What lets one client act for one member; an integration principal of its own.' })
class McpConnection implements domain.McpConnection {
  @Field(() => ID, { description: 'Its id, a UUID.' })
  id!: string;

  @Field(() => ID, { description: 'The assistant, by its OAuth client id.' })
  clientId!: string;

  @Field(() => String, { description: 'The assistant, as it calls itself.' })
  clientName!: string;

  @Field(() => ID, { description: 'The membership that it acts as.' })
  memberId!: string;

  @Field(() => String, { description: 'Who connected it.' })
  memberName!: string;

  @Field(() => ID, { description: 'Kept over refresh and repeated sign-in; a new one after a revocation.' })
  principalId!: string;

  @Field(() => [String], { description: `Of ${SCOPES.join(', ')}; the member's role bounds them at any time.` })
  scopes!: readonly string[];

  @Field(() => Timestamp, { description: 'When it was first connected.' })
  createdAt!: string;

  @Field(() => Timestamp, { nullable: true, description: 'To the minute.' })
  lastUsedAt!: string | null;

  @Field(() => Timestamp, { description: 'When it was ended; null while it works.', nullable: true })
  revokedAt!: string | null;
}

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'A page of connections.' })
class McpConnectionPage {
  @Field(() => [McpConnection], { description: 'What is on this page.' })
  nodes!: McpConnection[];

  @Field(() => Boolean, { description: 'Whether another page follows.' })
  hasMore!: boolean;

  @Field(() => String, {
    description: 'Send it as cursor, with the same filters, to get the next page; null on the last.',
    nullable: true,
  })
  nextCursor!: string | null;
}

@Resolver()
export class ConnectionResolver {
  constructor(
    private readonly em: EntityManager,
    private readonly commands: CommandRunner,
  ) {}

  @Teams('service', 'support', 'operations')
  @Query(() => [McpClient], {
    description: 'Assistants that are enabled, were asked for or are disabled, in this order. For internal teams.',
  })
  async mcpClients(@Ctx() { origin: { actor } }: SubgraphContext): Promise<domain.McpClient[]> {
    requireInternalReader(actor);
    return await listMcpClients(this.em, actor.workspaceId);
  }

  @Teams('service', 'support', 'operations')
  @Query(() => McpConnectionPage, { description: 'Connections of assistants, newest first. For internal teams.' })
  async mcpConnections(
    @Arg('includeRevoked', () => Boolean, { defaultValue: false, description: 'Whether ended ones are listed too.' })
    includeRevoked: boolean,
    @Arg('limit', () => Int, { defaultValue: 50, description: '1–100.' }) limit: number,
    @Arg('cursor', () => String, {
      nullable: true,
      description: 'The nextCursor of the previous page, other filters unchanged.',
    })
    cursor: string | undefined,
    @Ctx() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<domain.McpConnection>> {
    requireInternalReader(actor);
    return await listMcpConnections(this.em, actor.workspaceId, { includeRevoked, limit, cursor });
  }

  @Teams('service')
  @Mutation(() => McpClient, {
    description: 'Lets every member connect this assistant, each with what the own role allows.',
  })
  enableMcpClient(
    @Arg('input', () => McpClientInput, { description: 'The assistant to allow.' }) { id, name }: McpClientInput,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.McpClient> {
    return this.commands.run(enableMcpClient, { id, name, hosts: [] }, origin, operationId);
  }

  @Teams('service', 'support', 'operations')
  @Mutation(() => McpClient, {
    description: 'Ends all its connections from the next request on; nobody can make new ones.',
  })
  disableMcpClient(
    @Arg('id', () => ID, { description: 'The OAuth client id.' }) id: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.McpClient> {
    return this.commands.run(disableMcpClient, { id }, origin, operationId);
  }

  @Teams('service', 'support', 'operations')
  @Mutation(() => McpConnection, { description: 'For ever, from the next request on.' })
  revokeMcpConnection(
    @Arg('id', () => ID, { description: 'The id of the connection.' }) id: string,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.McpConnection> {
    return this.commands.run(revokeMcpConnection, { id }, origin, operationId);
  }
}
