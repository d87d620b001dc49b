import 'reflect-metadata';
import { SCOPES, type Role, KYB_STATUSES, type KybStatus } from '@payroll/kernel';
import { EVERYBODY, Teams, Timestamp } from '@payroll/subgraph';
import { Directive, Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { ROLES } from '../domain/workspace.js';
import type * as domain from '../domain/workspace.js';

export const KybStatusEnum = Object.fromEntries(KYB_STATUSES.map((status) => [status, status]));
registerEnumType(KybStatusEnum, { name: 'KybStatus', description: 'How far the verification of the business is.' });

export const RoleEnum = Object.fromEntries(ROLES.map((role) => [role, role]));
registerEnumType(RoleEnum, { name: 'Role', description: 'What a member may do at most.' });

@Teams(...EVERYBODY)
@Directive('@key(fields: "id")')
@ObjectType({ description: 'The employer whose workspace this is.' })
export class Business implements Omit<domain.Business, keyof domain.IntegrationSwitches> {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  name!: string;

  @Field(() => String, { description: 'ISO 3166-1 alpha-2.' })
  country!: string;

  @Field(() => KybStatusEnum)
  kybStatus!: KybStatus;

  @Field(() => Timestamp)
  createdAt!: string;

  @Field(() => Timestamp)
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
export class Member implements domain.Member {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  name!: string;

  @Field(() => String)
  email!: string;

  @Field(() => RoleEnum)
  role!: Role;

  @Field(() => Boolean, { description: 'Whether they can sign in; without, only keys act for them.' })
  hasAccount!: boolean;

  @Field(() => Timestamp)
  createdAt!: string;

  @Field(() => Timestamp, { nullable: true, description: 'Set for who left.' })
  leftAt!: string | null;
}

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'A page of members.' })
export class MemberPage {
  @Field(() => [Member])
  nodes!: Member[];

  @Field(() => Boolean)
  hasMore!: boolean;

  @Field(() => String, { nullable: true })
  nextCursor!: string | null;
}

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'A credential for /v1 that acts as a member.' })
export class ApiKey implements domain.ApiKey {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  name!: string;

  @Field(() => ID, { description: 'Idempotency keys and external references belong to it; kept over rotation.' })
  principalId!: string;

  @Field(() => ID)
  memberId!: string;

  @Field(() => [String], { description: `Of ${SCOPES.join(', ')}.` })
  scopes!: readonly string[];

  @Field(() => Timestamp)
  expiresAt!: string;

  @Field(() => Timestamp, { nullable: true })
  revokedAt!: string | null;

  @Field(() => Timestamp, { nullable: true, description: 'To the minute; null when it has never been used.' })
  lastUsedAt!: string | null;

  @Field(() => Timestamp)
  createdAt!: string;
}

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'A page of API keys.' })
export class ApiKeyPage {
  @Field(() => [ApiKey])
  nodes!: ApiKey[];

  @Field(() => Boolean)
  hasMore!: boolean;

  @Field(() => String, { nullable: true })
  nextCursor!: string | null;
}

@Teams('service')
@ObjectType({ description: 'A key just made, with its secret.' })
export class CreatedApiKey {
  @Field(() => ApiKey)
  apiKey!: ApiKey;

  @Field(() => String, { description: 'Shown this once; it cannot be retrieved later.' })
  secret!: string;
}
