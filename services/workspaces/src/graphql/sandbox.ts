import { type Operation, OperationOf, People, type ServiceParts, Teams } from '@payroll/service';
import { Mutation, Resolver } from 'type-graphql';
import { verifyBusinessInSandbox } from '../commands/business.js';
import { Business } from './business.js';

/** For admins, and tests of integrations, in test deployments; in a live one its command is nobody's. */
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
