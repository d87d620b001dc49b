import 'reflect-metadata';
import type { Role } from '@payroll/kernel';
import { Teams, Timestamp } from '@payroll/subgraph';
import { Field, ID, ObjectType } from 'type-graphql';
import type * as domain from '../domain/member.js';
import { RoleEnum } from './types.js';

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'A place held for somebody until they take it with the link they were given.' })
export class Invitation implements domain.Invitation {
  @Field(() => ID, { description: 'Its id, a UUID.' })
  id!: string;

  @Field(() => String, { description: 'How the invited person is called here.' })
  name!: string;

  @Field(() => String, { description: 'The address that the invitation is for.' })
  email!: string;

  @Field(() => RoleEnum, { description: 'The role of the membership that it opens.' })
  role!: Role;

  @Field(() => Timestamp, { description: 'From then on the link opens nothing.' })
  expiresAt!: string;

  @Field(() => Timestamp, { description: 'When it was accepted; null until then.', nullable: true })
  acceptedAt!: string | null;

  @Field(() => Timestamp, { description: 'When it was taken back; null unless it was.', nullable: true })
  revokedAt!: string | null;

  @Field(() => Timestamp, { description: 'When it was made.' })
  createdAt!: string;
}

@Teams('service', 'support', 'operations')
@ObjectType({ description: 'A page of invitations.' })
export class InvitationPage {
  @Field(() => [Invitation], { description: 'What is on this page.' })
  nodes!: Invitation[];

  @Field(() => Boolean, { description: 'Whether another page follows.' })
  hasMore!: boolean;

  @Field(() => String, {
    description: 'Send it as cursor, with the same filters, to get the next page; null on the last.',
    nullable: true,
  })
  nextCursor!: string | null;
}

@Teams('service')
@ObjectType({ description: 'An invitation just made, with its link.' })
export class CreatedInvitation {
  @Field(() => Invitation, { description: 'The invitation, without its link.' })
  invitation!: Invitation;

  @Field(() => String, { description: 'For the invited person alone; shown this once. It is good for one use.' })
  link!: string;
}
