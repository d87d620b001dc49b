import { Decimal, type Operation, OperationOf, type ServiceParts, Teams } from '@payroll/service';
import { Arg, Mutation, Resolver } from 'type-graphql';
import { requestClearing } from '../commands/clearing.js';
import type { DifferenceAccount } from '../domain/ledger.js';
import { DifferenceAccountEnum } from './enums.js';
import { Instruction, Reason } from './instructions.js';

@Resolver()
export class ClearingResolver {
  constructor(private readonly parts: Pick<ServiceParts, 'commands'>) {}

  @Teams('finance')
  @Mutation(() => Instruction, {
    description:
      'The business and its workers have settled what a payout of another amount left between them. Once countersigned, it is no longer owed; what can be spent stays as it is.',
  })
  requestClearing(
    @Arg('account', () => DifferenceAccountEnum, { description: 'What they have settled.' }) account: DifferenceAccount,
    @Arg('amount', () => Decimal, { description: 'Above zero, at most what is owed.' }) amount: string,
    @Arg('currency', () => String, { description: 'ISO 4217, or USDC.' }) currency: string,
    @Reason reason: string,
    @OperationOf() { origin, operationId }: Operation,
  ): Promise<Instruction> {
    return this.parts.commands.run(requestClearing, { account, amount, currency, reason }, origin, operationId);
  }
}
