import 'reflect-metadata';
import type { KybStatus } from '@payroll/kernel';
import type { CommandRunner } from '@payroll/store';
import { OPERATION_ID, type SubgraphContext, Teams } from '@payroll/subgraph';
import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { setIntegrationSwitches, setVerificationStatus, updateBusiness } from '../commands/business.js';
import type * as domain from '../domain/workspace.js';
import { Business, KybStatusEnum } from './types.js';

@Resolver()
export class BusinessMutations {
  constructor(private readonly commands: CommandRunner) {}

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
