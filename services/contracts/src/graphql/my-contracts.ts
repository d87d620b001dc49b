import type { Command } from '@payroll/commands';
import { CONTRACT_STATUSES, type ContractStatus, requireWorker, type Origin } from '@payroll/kernel';
import {
  field,
  IdArg,
  NULLABLE,
  MutationCtx,
  VisibleTo,
  type ServiceDependencies,
  type SubgraphContext,
} from '@payroll/service';
import { Arg, Ctx, FieldResolver, Int, Mutation, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { askForChanges, signForWorker } from '../commands/contract-signing.js';
import { signAmendment } from '../commands/contract-terms.js';
import { myAmendments, myContracts } from '../queries/agreements.js';
import { enumOf } from './enums.js';

@VisibleTo({ people: ['worker'] })
@ObjectType({ description: 'Terms of one of my contracts that changed while it was active.' })
class MyAmendment {
  @field.int('The first is 1.') number!: number;
  @field.text('As people read it.') text!: string;
  @field.text('SHA-256 of the text in UTF-8, in hexadecimal.') digest!: string;
  @field.day(
    'From when on the terms hold, for all work that is not approved by then; null until I sign them.',
    NULLABLE,
  )
  holdsFrom!: string | null;
  @field.boolean('Whether it waits for my signature.') isOpen!: boolean;
  @field.time('When I signed it; null where it needed no signature, or not yet.', NULLABLE) workerSignedAt!:
    | string
    | null;
}

@VisibleTo({ people: ['worker'] })
@ObjectType({ description: 'A contract of the worker who asks, from the day its text was sent for signature.' })
class MyContract {
  @field.id('Its id, a UUID.') id!: string;
  @field.text('What it is about.') title!: string;
  @field.of(() => enumOf(CONTRACT_STATUSES), 'Where it is in its life.') status!: ContractStatus;
  @field.day('The first day; null where it is open.', NULLABLE) startDate!: string | null;
  @field.day('The last day; null where it is open.', NULLABLE) endDate!: string | null;
  @field.text('Why it was cancelled; null where it was not.', NULLABLE) cancellationReason!: string | null;
  @field.text('As both sides read it.') text!: string;
  @field.text('SHA-256 of the text in UTF-8, in hexadecimal; what is signed.') digest!: string;
  @field.time('When it was sent for signature.') sentAt!: string;
  @field.time('When the business signed it; null until then.', NULLABLE) businessSignedAt!: string | null;
  @field.time('When I signed it; null until then.', NULLABLE) workerSignedAt!: string | null;
  @field.text('What I asked to be changed; null where I did not.', NULLABLE) changesAsked!: string | null;
  @field.time('When I asked for it.', NULLABLE) changesAskedAt!: string | null;
  @field.int('The number of the amendment that waits for my signature; null if none does.', NULLABLE)
  openAmendment!: number | null;
}

/** A worker's own contracts: the statements take workspace and worker from the token. */
@Resolver(() => MyContract)
export class MyContractResolver {
  constructor(private readonly parts: Pick<ServiceDependencies, 'em' | 'commands'>) {}

  @VisibleTo({ people: ['worker'] })
  @Query(() => [MyContract], { description: 'My contracts, newest first.' })
  myContracts(@Ctx() { origin }: SubgraphContext): Promise<MyContract[]> {
    return myContracts(this.parts.em, requireWorker(origin.actor));
  }

  @VisibleTo({ people: ['worker'] })
  @Query(() => MyContract, { nullable: true, description: 'One of my contracts.' })
  async myContract(@IdArg('contract') id: string, @Ctx() { origin }: SubgraphContext): Promise<MyContract | null> {
    const [contract] = await myContracts(this.parts.em, requireWorker(origin.actor), id);
    return contract ?? null;
  }

  @FieldResolver(() => [MyAmendment], { description: 'What was changed since, in its order.' })
  amendments(@Root() { id }: MyContract, @Ctx() { origin }: SubgraphContext): Promise<MyAmendment[]> {
    return myAmendments(this.parts.em, requireWorker(origin.actor), id);
  }

  @VisibleTo({ people: ['worker'] })
  @Mutation(() => MyContract, { description: 'I sign the text of a contract.' })
  async signMyContract(
    @IdArg('contract') id: string,
    @Arg('digest', () => String, { description: 'Of the text that was read; another text is refused as stale.' })
    digest: string,
    @Arg('clientAddress', () => String, { description: 'The address that the form was sent from.' })
    clientAddress: string,
    @Arg('browser', () => String, { description: 'What the browser calls itself.' }) browser: string,
    @MutationCtx() origin: Origin,
  ): Promise<MyContract> {
    return await this.changed(signForWorker, { id, digest, clientAddress, browser: browser.slice(0, 300) }, origin);
  }

  @VisibleTo({ people: ['worker'] })
  @Mutation(() => MyContract, { description: 'I sign a change of terms, which holds from then on.' })
  async signMyAmendment(
    @IdArg('contract') id: string,
    @Arg('number', () => Int, { description: 'Of the amendment.' }) number: number,
    @Arg('digest', () => String, { description: 'Of the text that was read; another text is refused as stale.' })
    digest: string,
    @Arg('clientAddress', () => String, { description: 'The address that the form was sent from.' })
    clientAddress: string,
    @Arg('browser', () => String, { description: 'What the browser calls itself.' }) browser: string,
    @MutationCtx() origin: Origin,
  ): Promise<MyContract> {
    const input = { id, number, digest, clientAddress, browser: browser.slice(0, 300) };
    return await this.changed(signAmendment, input, origin);
  }

  @VisibleTo({ people: ['worker'] })
  @Mutation(() => MyContract, { description: 'I ask for changes before I sign. The contract stays as it is.' })
  async askForContractChanges(
    @IdArg('contract') id: string,
    @Arg('reason', () => String, { description: 'What should be changed; 1–2000 characters.' }) reason: string,
    @MutationCtx() origin: Origin,
  ): Promise<MyContract> {
    return await this.changed(askForChanges, { id, reason }, origin);
  }

  private async changed<Input extends { id: string }>(
    command: Command<Input, unknown>,
    input: Input,
    origin: Origin,
  ): Promise<MyContract> {
    await this.parts.commands.run(command, input, origin);
    const [contract] = await myContracts(this.parts.em, requireWorker(origin.actor), input.id);
    return contract!;
  }
}
