import { NULLABLE, type Operation, OperationOf, People, type ServiceParts, Teams } from '@payroll/service';
import { Arg, Args, Mutation, Resolver } from 'type-graphql';
import { signAsWorkerInSandbox } from '../commands/contract-signing.js';
import { DIGEST } from './contract-life.js';
import { Contract, SeenArguments } from './contract-types.js';

/** For admins, and integration tests, in test deployments; denied to everyone in a live one. */
@Resolver()
export class SandboxResolver {
  private readonly signAsWorker;

  constructor(private readonly parts: Pick<ServiceParts, 'commands' | 'deployment'>) {
    this.signAsWorker = signAsWorkerInSandbox.in(parts.deployment);
  }

  @People('admin')
  @Teams('service')
  @Mutation(() => Contract, { description: 'In a test deployment: the worker signs the text.' })
  sandboxSignAsWorker(
    @Args(() => SeenArguments) seen: SeenArguments,
    @Arg('digest', () => String, { ...NULLABLE, description: DIGEST }) digest: string | undefined,
    @OperationOf() { origin, operationId }: Operation,
  ): Promise<Contract> {
    return this.parts.commands.run(this.signAsWorker, { ...seen, digest }, origin, operationId);
  }
}
