import { type Operation, OperationOf, People, type ServiceParts, Teams } from '@payroll/service';
import { Mutation, Resolver } from 'type-graphql';
import { verifyBusinessInSandbox } from '../commands/business.js';
import { Business } from './business.js';

/** For admins, and integration tests, in test deployments; denied to everyone in a live one. */
@Resolver()
export class SandboxResolver {
  private readonly verifyBusiness;

  constructor(private readonly parts: Pick<ServiceParts, 'commands' | 'deployment'>) {
    this.verifyBusiness = verifyBusinessInSandbox.in(parts.deployment);
  }

  @People('admin')
  @Teams('service')
  @Mutation(() => Business, { description: 'In a test deployment: the verification of the business ends well.' })
  sandboxVerifyBusiness(@OperationOf() { origin, operationId }: Operation): Promise<Business> {
    return this.parts.commands.run(this.verifyBusiness, {}, origin, operationId);
  }
}
