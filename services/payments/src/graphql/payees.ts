import { ROLES, type PaymentMethod, type Origin } from '@payroll/kernel';
import {
  byKeys,
  Calendar,
  field,
  FollowedPageArguments,
  IdArg,
  loadById,
  NULLABLE,
  MutationCtx,
  pageType,
  VisibleTo,
  PERSONS_READERS,
  ReadCtx,
  type ServiceDependencies,
  type SubgraphContext,
  TERMS_READERS,
  Timestamp,
} from '@payroll/service';
import { list, type Page } from '@payroll/store';
import {
  Arg,
  Args,
  ArgsType,
  Directive,
  FieldResolver,
  ID,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { changePayee, type PayeeRules, registerPayee, rejectPayee, verifyPayee } from '../commands/payees.js';
import type { VerificationStatus } from '../domain/payee.js';
import { requireKnownWorker, requireNoAccess } from '../payouts/refresh-parties.js';
import { holdsOfPayees } from '../queries/holds.js';
import { payees } from '../store/views.js';
import { PayoutMethodEnum, VerificationStatusEnum } from './enums.js';

@VisibleTo({ teams: TERMS_READERS, people: ROLES })
@Directive('@key(fields: "id")')
@ObjectType({ description: 'Where the money of a worker goes. Payouts need a verified one.' })
export class Payee {
  @field.id('Its id, a UUID.') id!: string;
  @field.id('The worker whose money goes there.') workerId!: string;
  @VisibleTo({ teams: ['operations', 'finance'], people: [] })
  @field.text('The name that the account is in, to be compared when it is verified; null if not given.', NULLABLE)
  holder!: string | null;
  @field.of(() => PayoutMethodEnum, 'How it is sent.') payoutMethod!: PaymentMethod;
  @VisibleTo({ teams: ['service', 'operations', 'finance'], people: ['admin'] })
  @field.text('The last four characters; the whole destination is shown to nobody.')
  destinationEnding!: string;
  @field.of(() => VerificationStatusEnum, 'Whether it has been checked. Only a verified payee is paid.')
  verificationStatus!: VerificationStatus;
  @VisibleTo({ people: [] })
  @field.text('Of a rejected payee.', NULLABLE)
  rejectionReason!: string | null;
  @field.time('When the worker stopped the last change, with the link mailed to them; null if they did not.', NULLABLE)
  stoppedAt!: string | null;
  @field.text('Changes with every change of the payee; sent back to verify it.') version!: string;
  @VisibleTo({ teams: ['operations', 'finance'], people: [] })
  @field.text(
    'Who entered where the money goes: a person, by email address, or `application`. They cannot verify it.',
    NULLABLE,
  )
  changedBy!: string | null;
  @VisibleTo({ teams: ['operations', 'finance'], people: [] })
  @field.text('The second person, by email address.', NULLABLE)
  verifiedBy!: string | null;
  @field.time('When it was registered.') createdAt!: string;
  @field.time('Moves with every visible change.') updatedAt!: string;
}

const PayeePage = pageType(Payee, 'payees', TERMS_READERS);

@VisibleTo({ teams: PERSONS_READERS, people: ROLES })
@Directive('@key(fields: "id", resolvable: false)')
@ObjectType({ description: 'Who is paid; owned by the contracts service.' })
class Worker {
  @field.id('Its id, a UUID.') id!: string;
}

@ArgsType()
class PayeeListArguments extends FollowedPageArguments {
  @field.of(() => VerificationStatusEnum, 'Only payees in this status.', NULLABLE)
  verificationStatus?: VerificationStatus | null;
  @field.id('Only the payee of this worker.', NULLABLE) workerId?: string | null;
}

const HolderArg = Arg('holder', () => String, {
  ...NULLABLE,
  description: 'The name that the account is in; 1–140 characters.',
});
const PayoutMethodArg = Arg('payoutMethod', () => PayoutMethodEnum, { description: 'How the money is sent.' });
const DestinationArg = Arg('destination', () => String, {
  description:
    'What the method needs to find the worker, such as a valid IBAN; at most 254 characters. In test deployments also sandbox:… (see the sandbox provider).',
});

@Resolver(() => Payee)
export class PayeeResolver {
  readonly byId;
  private readonly holdsOf;

  constructor(private readonly parts: Pick<ServiceDependencies, 'em' | 'commands' | 'bus'> & PayeeRules) {
    this.byId = byKeys(parts.em, payees);
    this.holdsOf = holdsOfPayees(parts.em, new Calendar(parts));
  }

  @VisibleTo({ teams: TERMS_READERS, people: ROLES })
  @Query(() => Payee, {
    nullable: true,
    description: 'Where one worker is paid; null when there is none in this workspace.',
  })
  payee(@IdArg('payee') id: string, @ReadCtx() reader: SubgraphContext): Promise<Payee | null> {
    return loadById(reader, this.byId, id);
  }

  @VisibleTo({ teams: TERMS_READERS, people: ROLES })
  @Query(() => PayeePage, { description: 'Payees, newest first; with updatedSince, oldest change first.' })
  payees(
    @Args(() => PayeeListArguments) { verificationStatus, workerId, ...page }: PayeeListArguments,
    @ReadCtx() { origin: { actor } }: SubgraphContext,
  ): Promise<Page<Payee>> {
    const { workspaceId } = actor;
    return list(this.parts.em, payees, { workspaceId, where: { verificationStatus, workerId }, ...page });
  }

  @FieldResolver(() => Timestamp, {
    ...NULLABLE,
    description: 'Verified details were changed: nothing is paid to the new ones before; null if they are not on hold.',
  })
  async heldUntil(@Root() { id }: Payee, @ReadCtx() reader: SubgraphContext): Promise<string | null> {
    return await loadById(reader, this.holdsOf, id);
  }

  @FieldResolver(() => Worker, { description: 'The worker whose money goes there.' })
  worker(@Root() payee: Payee): Worker {
    return { id: payee.workerId };
  }

  @VisibleTo({ teams: ['service', 'operations', 'finance'] })
  @Mutation(() => Payee, {
    description:
      'Registers where a worker’s money goes, unverified. A worker has one payee. Refused once the worker signs in: they enter it themselves.',
  })
  async registerPayee(
    @Arg('workerId', () => ID, { description: 'The worker whose money goes there.' }) unknownId: string,
    @PayoutMethodArg payoutMethod: PaymentMethod,
    @DestinationArg destination: string,
    @HolderArg holder: string | null = null,
    @MutationCtx() origin: Origin,
  ): Promise<Payee> {
    const { workspaceId } = origin.actor;
    const workerId = await requireKnownWorker(this.parts, workspaceId, unknownId);
    await requireNoAccess(this.parts, workspaceId, workerId);
    const input = { workerId, payoutMethod, destination, ...(holder !== null && { holder }) };
    return this.parts.commands.run(registerPayee(this.parts), input, origin);
  }

  @VisibleTo({ teams: ['service', 'finance'] })
  @Mutation(() => Payee, {
    description:
      'Any state → unverified. A payout under way is not redirected. Refused once the worker signs in: they change it themselves.',
  })
  async changePayee(
    @IdArg('payee') id: string,
    @PayoutMethodArg payoutMethod: PaymentMethod,
    @DestinationArg destination: string,
    @Arg('expectedVersion', () => String, {
      nullable: true,
      description: 'The version of the payee that was looked at; a member of the workspace has to name it.',
    })
    expectedVersion: string | null,
    @HolderArg holder: string | null = null,
    @MutationCtx() origin: Origin,
  ): Promise<Payee> {
    const { workspaceId } = origin.actor;
    const { nodes } = await list(this.parts.em, payees, { workspaceId, where: { id }, limit: 1 });
    if (nodes[0]) await requireNoAccess(this.parts, workspaceId, nodes[0].workerId);
    const given = { payoutMethod, destination, ...(holder !== null && { holder }) };
    const input = { id, ...given, ...(expectedVersion !== null && { expectedVersion }) };
    return this.parts.commands.run(changePayee(this.parts), input, origin);
  }

  @VisibleTo({ teams: ['finance'] })
  @Mutation(() => Payee, {
    description:
      'unverified → verified, by somebody who did not enter the destination and has it from the worker: payouts may go there.',
  })
  verifyPayee(
    @IdArg('payee') id: string,
    @Arg('expectedVersion', () => String, { description: 'The version of the payee that was looked at.' })
    expectedVersion: string,
    @Arg('destination', () => String, {
      description: 'The whole destination as the worker gave it by another channel; spaces do not count.',
    })
    destination: string,
    @MutationCtx() origin: Origin,
  ): Promise<Payee> {
    return this.parts.commands.run(verifyPayee, { id, expectedVersion, destination }, origin);
  }

  @VisibleTo({ teams: ['operations', 'finance'] })
  @Mutation(() => Payee, { description: 'unverified → rejected, with the reason.' })
  rejectPayee(
    @IdArg('payee') id: string,
    @Arg('reason', () => String, { description: '1 to 2000 characters after trimming.' }) reason: string,
    @Arg('expectedVersion', () => String, {
      ...NULLABLE,
      description: 'The version of the payee that was looked at; details that were changed since are not rejected.',
    })
    expectedVersion: string | null = null,
    @MutationCtx() origin: Origin,
  ): Promise<Payee> {
    const input = { id, reason, ...(expectedVersion !== null && { expectedVersion }) };
    return this.parts.commands.run(rejectPayee, input, origin);
  }
}
