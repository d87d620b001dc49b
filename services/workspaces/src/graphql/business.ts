import 'reflect-metadata';
import { KYB_STATUSES, notFound, requireInternal, requireScope, type KybStatus } from '@payroll/kernel';
import type { CommandRunner } from '@payroll/store';
import {
  EVERYBODY,
  loadById,
  OPERATION_ID,
  Teams,
  Timestamp,
  type Fetch,
  type SubgraphContext,
} from '@payroll/subgraph';
import {
  Arg,
  Ctx,
  Directive,
  Field,
  FieldResolver,
  ID,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { setIntegrationSwitches, setVerificationStatus, updateBusiness } from '../commands/business.js';
import type * as domain from '../domain/workspace.js';

const KybStatusEnum = Object.fromEntries(KYB_STATUSES.map((status) => [status, status]));
registerEnumType(KybStatusEnum, { name: 'KybStatus', description: 'How far the verification of the business is.' });

@Teams(...EVERYBODY)
@Directive('@key(fields: "id")')
@ObjectType({ description: 'The employer whose workspace this is.' })
class Business implements Omit<domain.Business, keyof domain.IntegrationSwitches> {
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
class IntegrationSwitches implements domain.IntegrationSwitches {
  @Field(() => Boolean, { description: 'Whether the public API and its MCP server answer.' })
  integrationEnabled!: boolean;

  @Field(() => Boolean, { description: 'Whether anything can be changed through them.' })
  writesEnabled!: boolean;
}

@Resolver(() => Business)
export class BusinessResolver {
  constructor(
    private readonly commands: CommandRunner,
    private readonly byId: Fetch<domain.Business>,
  ) {}

  @Teams(...EVERYBODY)
  @Query(() => Business, { description: 'The business of the current workspace.' })
  async business(@Ctx() context: SubgraphContext): Promise<domain.Business> {
    const { actor } = context.origin;
    requireScope(actor, 'read');
    const business = await loadById(context, this.byId, actor.workspaceId);
    if (!business) throw notFound('The business');
    return business;
  }

  @Teams('service', 'support', 'operations')
  @FieldResolver(() => IntegrationSwitches, { description: 'For internal teams.' })
  switches(@Root() business: domain.Business, @Ctx() { origin }: SubgraphContext): domain.IntegrationSwitches {
    requireInternal(origin.actor);
    return business;
  }

  @Teams('operations')
  @Mutation(() => Business, {
    description:
      'not_started → pending → verified or rejected; rejected → pending; verified → pending or rejected. Payouts need verified.',
  })
  setVerificationStatus(
    @Arg('kybStatus', () => KybStatusEnum, { description: 'The status that it gets.' }) kybStatus: KybStatus,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Business> {
    return this.commands.run(setVerificationStatus, { kybStatus }, origin, operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Business, { description: 'What is not given stays.' })
  updateBusiness(
    @Arg('name', () => String, { nullable: true, description: '1–200 characters.' }) name: string | undefined,
    @Arg('country', () => String, { nullable: true, description: 'ISO 3166-1 alpha-2.' }) country: string | undefined,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Business> {
    return this.commands.run(updateBusiness, { name, country }, origin, operationId);
  }

  @Teams('service', 'operations')
  @Mutation(() => Business, { description: 'Holds from the next request of any key or connection on.' })
  setIntegrationSwitches(
    @Arg('integrationEnabled', () => Boolean, { description: 'Whether the public API and its MCP server answer.' })
    integrationEnabled: boolean,
    @Arg('writesEnabled', () => Boolean, { description: 'Whether anything can be changed through them.' })
    writesEnabled: boolean,
    @Arg('operationId', () => ID, OPERATION_ID) operationId: string | undefined,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<domain.Business> {
    return this.commands.run(setIntegrationSwitches, { integrationEnabled, writesEnabled }, origin, operationId);
  }
}
