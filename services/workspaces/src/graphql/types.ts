import 'reflect-metadata';
import { SCOPES, type Role } from '@payroll/kernel';
import { Timestamp } from '@payroll/subgraph';
import { Directive, Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { KYB_STATUSES, ROLES, type KybStatus } from '../domain/workspace.js';
import type * as domain from '../domain/workspace.js';

const KybStatusEnum = Object.fromEntries(KYB_STATUSES.map((status) => [status, status]));
registerEnumType(KybStatusEnum, { name: 'KybStatus', description: 'How far the verification of the business is.' });

export const RoleEnum = Object.fromEntries(ROLES.map((role) => [role, role]));
registerEnumType(RoleEnum, { name: 'Role', description: 'What a member may do at most.' });

@Directive('@key(fields: "id")')
@ObjectType({ description: 'The employer whose workspace this is.' })
export class Business implements domain.Business {
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

@ObjectType({ description: 'Someone who belongs to the workspace.' })
export class Member implements domain.Member {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  name!: string;

  @Field(() => String)
  email!: string;

  @Field(() => RoleEnum)
  role!: Role;
}

@ObjectType({ description: 'A credential for /v1 that acts as a member.' })
export class ApiKey implements domain.ApiKey {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  name!: string;

  @Field(() => ID, { description: 'Idempotency keys and external references belong to it.' })
  principalId!: string;

  @Field(() => ID)
  memberId!: string;

  @Field(() => [String], { description: `Of ${SCOPES.join(', ')}.` })
  scopes!: readonly string[];

  @Field(() => Timestamp)
  expiresAt!: string;

  @Field(() => Timestamp, { nullable: true })
  revokedAt!: string | null;

  @Field(() => Timestamp)
  createdAt!: string;
}

@ObjectType({ description: 'A key just made, with its secret.' })
export class CreatedApiKey {
  @Field(() => ApiKey)
  apiKey!: ApiKey;

  @Field(() => String, { description: 'Shown this once; it cannot be retrieved later.' })
  secret!: string;
}
