import 'reflect-metadata';
import { SCOPES } from '@payroll/kernel';
import { Teams, Timestamp } from '@payroll/subgraph';
import { Field, ID, InputType, ObjectType, registerEnumType } from 'type-graphql';
import { CLIENT_STATUSES, type ClientStatus } from '../domain/connection.js';
import type * as domain from '../domain/connection.js';

const ClientStatusEnum = Object.fromEntries(CLIENT_STATUSES.map((status) => [status, status]));
registerEnumType(ClientStatusEnum, {
  name: 'McpClientStatus',
  description: 'Whether members may connect it; asked when somebody tried and no admin has decided.',
});

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'An assistant that members can connect once an admin has enabled it.' })
export class McpClient implements domain.McpClient {
  @Field(() => ID, { description: 'As the authorization server knows it.' })
  id!: string;

  @Field(() => String, { description: 'As it calls itself.' })
  name!: string;

  @Field(() => [String], { description: 'Where it is.' })
  hosts!: readonly string[];

  @Field(() => ClientStatusEnum)
  status!: ClientStatus;

  @Field(() => Timestamp)
  changedAt!: string;
}

@InputType({ description: 'A client to enable, as its maker describes it.' })
export class McpClientInput {
  @Field(() => ID)
  id!: string;

  @Field(() => String, { description: '1–200 characters.' })
  name!: string;
}

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'What lets one client act for one member; an integration principal of its own.' })
export class McpConnection implements domain.McpConnection {
  @Field(() => ID)
  id!: string;

  @Field(() => ID)
  clientId!: string;

  @Field(() => String)
  clientName!: string;

  @Field(() => ID)
  memberId!: string;

  @Field(() => String)
  memberName!: string;

  @Field(() => ID, { description: 'Kept over refresh and repeated sign-in; a new one after a revocation.' })
  principalId!: string;

  @Field(() => [String], { description: `Of ${SCOPES.join(', ')}; the member's role bounds them at any time.` })
  scopes!: readonly string[];

  @Field(() => Timestamp)
  createdAt!: string;

  @Field(() => Timestamp, { nullable: true, description: 'To the minute.' })
  lastUsedAt!: string | null;

  @Field(() => Timestamp, { nullable: true })
  revokedAt!: string | null;
}

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'A page of connections.' })
export class McpConnectionPage {
  @Field(() => [McpConnection])
  nodes!: McpConnection[];

  @Field(() => Boolean)
  hasMore!: boolean;

  @Field(() => String, { nullable: true })
  nextCursor!: string | null;
}
