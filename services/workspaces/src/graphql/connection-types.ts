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

  @Field(() => ClientStatusEnum, { description: 'Whether members may connect with it.' })
  status!: ClientStatus;

  @Field(() => Timestamp, { description: 'When its status changed last.' })
  changedAt!: string;
}

@InputType({ description: 'A client to enable, as its maker describes it.' })
export class McpClientInput {
  @Field(() => ID, { description: 'The OAuth client id, as the assistant sends it.' })
  id!: string;

  @Field(() => String, { description: '1–200 characters.' })
  name!: string;
}

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'What lets one client act for one member; an integration principal of its own.' })
export class McpConnection implements domain.McpConnection {
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
export class McpConnectionPage {
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
