import 'reflect-metadata';
import type { CommandRunner } from '@payroll/store';
import { OPERATION_ID, type SubgraphContext, Teams } from '@payroll/subgraph';
import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { disableMcpClient, enableMcpClient } from '../commands/clients.js';
import { revokeMcpConnection } from '../commands/connections.js';
import type * as domain from '../domain/connection.js';
import { McpClient, McpClientInput, McpConnection } from './connection-types.js';

@Resolver()
export class ConnectionMutations {
  constructor(private readonly commands: CommandRunner) {}

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
