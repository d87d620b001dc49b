import {
  ROLES,
  TEAMS,
  KYB_STATUSES,
  ADMINS_OR_INTERNAL,
  requireFound,
  authorizeCommand,
  type KybStatus,
  type Origin,
} from '@payroll/kernel';
import {
  enumOf,
  field,
  loadById,
  MutationCtx,
  VisibleTo,
  ReadCtx,
  type ServiceDependencies,
  type SubgraphContext,
} from '@payroll/service';
import { Arg, Ctx, Directive, FieldResolver, Mutation, ObjectType, Query, Resolver, Root } from 'type-graphql';
import {
  requireSecondFactor,
  setIntegrationSwitches,
  setVerificationStatus,
  updateBusiness,
  verifyBusinessInSandbox,
} from '../commands/business.js';
import { businessesById } from '../queries/references.js';
import type * as views from '../store/views.js';
import { SUPPORTERS } from './readers.js';

const KybStatusEnum = enumOf('KybStatus', KYB_STATUSES, 'How far the verification of the business is.');

@VisibleTo({ teams: TEAMS, people: ROLES })
@Directive('@key(fields: "id")')
@ObjectType({ description: 'The employer whose workspace this is.' })
class Business {
  @field.id('The id of the workspace, a UUID.') id!: string;
  @field.text('1–200 characters.') name!: string;
  @field.text('ISO 3166-1 alpha-2.') country!: string;
  @field.of(() => KybStatusEnum, 'How far the verification of the business is. Payouts need a verified one.')
  kybStatus!: KybStatus;
  @field.time('When the workspace was set up.') createdAt!: string;
  @field.time('Moves with every visible change.') updatedAt!: string;
}

const ANSWERS = 'Whether the public API and its MCP server answer.';
const WRITES = 'Whether anything can be changed through them.';

@VisibleTo({ teams: SUPPORTERS, people: ['admin'] })
@ObjectType({ description: 'What the keys and connections of a workspace may do at all.' })
class IntegrationSwitches {
  @field.boolean(ANSWERS) integrationEnabled!: boolean;
  @field.boolean(WRITES) writesEnabled!: boolean;
}

@Resolver(() => Business)
export class BusinessResolver {
  readonly byId;

  constructor(private readonly parts: Pick<ServiceDependencies, 'em' | 'commands'>) {
    this.byId = businessesById(parts.em);
  }

  @VisibleTo({ teams: TEAMS, people: ROLES })
  @Query(() => Business, { description: 'The business of the current workspace.' })
  async business(@ReadCtx() reader: SubgraphContext): Promise<Business> {
    return requireFound(await loadById(reader, this.byId, reader.origin.actor.workspaceId), 'The business');
  }

  @VisibleTo({ teams: SUPPORTERS, people: ['admin'] })
  @FieldResolver(() => IntegrationSwitches, { description: 'For admins and internal teams.' })
  switches(@Root() business: views.Business, @Ctx() { origin }: SubgraphContext): IntegrationSwitches {
    authorizeCommand(ADMINS_OR_INTERNAL, origin.actor, undefined);
    return business;
  }

  @VisibleTo({ teams: SUPPORTERS, people: ['admin'] })
  @FieldResolver(() => Boolean, { description: 'Whether admins act in person only with a second factor.' })
  secondFactorRequired(@Root() { secondFactorRequired }: views.Business, @Ctx() { origin }: SubgraphContext): boolean {
    authorizeCommand(ADMINS_OR_INTERNAL, origin.actor, undefined);
    return secondFactorRequired;
  }

  @VisibleTo({ people: ['admin'] })
  @Mutation(() => Business, {
    description: 'Requires a second factor of admins who act in person, or no longer; for an admin who has one.',
  })
  requireSecondFactor(
    @Arg('isRequired', () => Boolean, { description: 'Whether it is required from now on.' }) isRequired: boolean,
    @MutationCtx() origin: Origin,
  ): Promise<Business> {
    return this.parts.commands.run(requireSecondFactor, { isRequired }, origin);
  }

  @VisibleTo({ teams: ['operations'] })
  @Mutation(() => Business, {
    description:
      'not_started → pending → verified or rejected; rejected → pending; verified → pending or rejected. Payouts need verified.',
  })
  setVerificationStatus(
    @Arg('kybStatus', () => KybStatusEnum, { description: 'The status that it gets.' }) kybStatus: KybStatus,
    @MutationCtx() origin: Origin,
  ): Promise<Business> {
    return this.parts.commands.run(setVerificationStatus, { kybStatus }, origin);
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Business, { description: 'What is not given stays.' })
  updateBusiness(
    @Arg('name', () => String, { nullable: true, description: '1–200 characters.' }) name: string | undefined,
    @Arg('country', () => String, { nullable: true, description: 'ISO 3166-1 alpha-2.' }) country: string | undefined,
    @MutationCtx() origin: Origin,
  ): Promise<Business> {
    return this.parts.commands.run(updateBusiness, { name, country }, origin);
  }

  @VisibleTo({ teams: ['service', 'operations'] })
  @Mutation(() => Business, {
    description: 'What is not given stays. Holds from the next request of any key or connection on.',
  })
  setIntegrationSwitches(
    @Arg('integrationEnabled', () => Boolean, { nullable: true, description: ANSWERS })
    integrationEnabled: boolean | null | undefined,
    @Arg('writesEnabled', () => Boolean, { nullable: true, description: WRITES })
    writesEnabled: boolean | null | undefined,
    @MutationCtx() origin: Origin,
  ): Promise<Business> {
    const input = { integrationEnabled, writesEnabled };
    return this.parts.commands.run(setIntegrationSwitches, input, origin);
  }
}

/** For admins, and integration tests, in test deployments; denied to everyone in a live one. */
@Resolver()
export class SandboxResolver {
  constructor(private readonly parts: Pick<ServiceDependencies, 'commands' | 'deployment'>) {}

  @VisibleTo({ people: ['admin'], teams: ['service'] })
  @Mutation(() => Business, { description: 'In a test deployment: the verification of the business ends well.' })
  sandboxVerifyBusiness(@MutationCtx() origin: Origin): Promise<Business> {
    return this.parts.commands.run(verifyBusinessInSandbox.in(this.parts.deployment), {}, origin);
  }
}
