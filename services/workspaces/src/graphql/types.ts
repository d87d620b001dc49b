import 'reflect-metadata';
import { SCOPES, type Role, KYB_STATUSES, type KybStatus } from '@payroll/kernel';
import { EVERYBODY, Teams, Timestamp } from '@payroll/subgraph';
import { Directive, Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { ROLES } from '../domain/member.js';
import type { ApiKey as ApiKeyView } from '../domain/api-key.js';
import type { Member as MemberView } from '../domain/member.js';
import type * as domain from '../domain/workspace.js';

export const KybStatusEnum = Object.fromEntries(KYB_STATUSES.map((status) => [status, status]));
registerEnumType(KybStatusEnum, { name: 'KybStatus', description: 'How far the verification of the business is.' });

export const RoleEnum = Object.fromEntries(ROLES.map((role) => [role, role]));
registerEnumType(RoleEnum, { name: 'Role', description: 'What a member may do at most.' });

@Teams(...EVERYBODY)
@Directive('@key(fields: "id")')
@ObjectType({ description: 'The employer whose workspace this is.' })
export class Business implements Omit<domain.Business, keyof domain.IntegrationSwitches> {
  @Field(() => ID, { description: 'The id of the workspace, a UUID.' })
  id!: string;

  @Field(() => String, { description: '1–200 characters.' })
  name!: string;

  @Field(() => String, { description: 'ISO 3166-1 alpha-2.' })
  country!: string;

  @Field(() => KybStatusEnum, {
    description: 'How far the verification of the business is. Payouts need a verified one.',
  })
  kybStatus!: KybStatus;

  @Field(() => Timestamp, { description: 'When the workspace was set up.' })
  createdAt!: string;

  @Field(() => Timestamp, { description: 'Moves with every visible change.' })
  updatedAt!: string;
}

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'What the keys and connections of a workspace may do at all.' })
export class IntegrationSwitches implements domain.IntegrationSwitches {
  @Field(() => Boolean, { description: 'Whether the public API and its MCP server answer.' })
  integrationEnabled!: boolean;

  @Field(() => Boolean, { description: 'Whether anything can be changed through them.' })
  writesEnabled!: boolean;
}

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'Someone who belongs to the workspace, or did.' })
export class Member implements MemberView {
  @Field(() => ID, { description: 'The id of the membership, a UUID.' })
  id!: string;

  @Field(() => String, { description: 'How the person is called here.' })
  name!: string;

  @Field(() => String, { description: 'The address by which the person signs in.' })
  email!: string;

  @Field(() => RoleEnum, { description: 'What the member may do at most.' })
  role!: Role;

  @Field(() => Boolean, { description: 'Whether they can sign in; without, only keys act for them.' })
  hasAccount!: boolean;

  @Field(() => Timestamp, { description: 'When the membership began.' })
  createdAt!: string;

  @Field(() => Timestamp, { nullable: true, description: 'Set for who left.' })
  leftAt!: string | null;
}

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'A page of members.' })
export class MemberPage {
  @Field(() => [Member], { description: 'What is on this page.' })
  nodes!: Member[];

  @Field(() => Boolean, { description: 'Whether another page follows.' })
  hasMore!: boolean;

  @Field(() => String, {
    description: 'Send it as cursor, with the same filters, to get the next page; null on the last.',
    nullable: true,
  })
  nextCursor!: string | null;
}

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'A credential for /v1 that acts as a member.' })
export class ApiKey implements ApiKeyView {
  @Field(() => ID, { description: 'Its id, a UUID.' })
  id!: string;

  @Field(() => String, { description: 'What its maker called it.' })
  name!: string;

  @Field(() => ID, { description: 'Idempotency keys and external references belong to it; kept over rotation.' })
  principalId!: string;

  @Field(() => ID, { description: 'The membership that it acts as.' })
  memberId!: string;

  @Field(() => [String], { description: `Of ${SCOPES.join(', ')}.` })
  scopes!: readonly string[];

  @Field(() => Timestamp, { description: 'From then on it opens nothing.' })
  expiresAt!: string;

  @Field(() => Timestamp, { description: 'When it was revoked; null unless it was.', nullable: true })
  revokedAt!: string | null;

  @Field(() => Timestamp, { nullable: true, description: 'To the minute; null when it has never been used.' })
  lastUsedAt!: string | null;

  @Field(() => Timestamp, { description: 'When it was made.' })
  createdAt!: string;
}

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'A page of API keys.' })
export class ApiKeyPage {
  @Field(() => [ApiKey], { description: 'What is on this page.' })
  nodes!: ApiKey[];

  @Field(() => Boolean, { description: 'Whether another page follows.' })
  hasMore!: boolean;

  @Field(() => String, {
    description: 'Send it as cursor, with the same filters, to get the next page; null on the last.',
    nullable: true,
  })
  nextCursor!: string | null;
}

@Teams('service')
@ObjectType({ description: 'A key just made, with its secret.' })
export class CreatedApiKey {
  @Field(() => ApiKey, { description: 'The key, without its secret.' })
  apiKey!: ApiKey;

  @Field(() => String, { description: 'Shown this once; it cannot be retrieved later.' })
  secret!: string;
}
