import 'reflect-metadata';
import type { Role } from '@payroll/kernel';
import { Teams, Timestamp } from '@payroll/subgraph';
import { Field, ID, ObjectType } from 'type-graphql';
import type * as domain from '../domain/workspace.js';
import { RoleEnum } from './types.js';

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'A place held for somebody until they take it with the link they were given.' })
export class Invitation implements domain.Invitation {
  @Field(() => ID)
  id!: string;

  @Field(() => String)
  name!: string;

  @Field(() => String)
  email!: string;

  @Field(() => RoleEnum)
  role!: Role;

  @Field(() => Timestamp)
  expiresAt!: string;

  @Field(() => Timestamp, { nullable: true })
  acceptedAt!: string | null;

  @Field(() => Timestamp, { nullable: true })
  revokedAt!: string | null;

  @Field(() => Timestamp)
  createdAt!: string;
}

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'A page of invitations.' })
export class InvitationPage {
  @Field(() => [Invitation])
  nodes!: Invitation[];

  @Field(() => Boolean)
  hasMore!: boolean;

  @Field(() => String, { nullable: true })
  nextCursor!: string | null;
}

@Teams('service')
@ObjectType({ description: 'An invitation just made, with its link.' })
export class CreatedInvitation {
  @Field(() => Invitation)
  invitation!: Invitation;

  @Field(() => String, { description: 'For the invited person alone; shown this once. It is good for one use.' })
  link!: string;
}
