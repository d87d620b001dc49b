import { createHash } from 'node:crypto';
import type { ApolloGateway } from '@apollo/gateway';
import { DomainError, isErrorCode, type ErrorDetail } from '@payroll/kernel';
import { getOperationAST, GraphQLError, parse, validate, type DocumentNode } from 'graphql';
import { NOT_LOGGED } from './apollo.js';
import type { SubgraphAnswer } from './subgraph-message.js';
import type { Caller, SubgraphSource } from './subgraph-source.js';

/** The plan of an operation that one service answers alone. */
export interface PlannedFetch {
  source: SubgraphSource;
  operation: string;
  variableUsages: readonly string[];
}

/** An operation known at start. From its second run on, one that a single service answers goes straight to that service. */
export class PreparedOperation<Data, Variables extends Record<string, unknown>> {
  private readonly document: DocumentNode;
  private readonly hash: string;

  constructor(
    private readonly gateway: ApolloGateway,
    private readonly plans: Map<string, PlannedFetch | null>,
    private readonly source: string,
  ) {
    this.document = parse(source);
    this.hash = createHash('sha256').update(source).digest('hex');
    const [wrong] = validate(gateway.schema!, this.document);
    if (wrong) throw wrong;
    if (!plans.has(this.hash)) plans.set(this.hash, null);
  }

  /** @throws DomainError the first refusal of any service: there are no partial answers. */
  async run(variables: Variables, caller: Caller): Promise<Data> {
    const planned = this.plans.get(this.hash);
    const { data, errors } = planned
      ? await planned.source.send(planned.operation, pick(variables, planned.variableUsages), caller)
      : await this.execute(variables, caller);
    const [first] = errors ?? [];
    if (first) throw refusalOf(first);
    return data as Data;
  }

  private async execute(variables: Variables, caller: Caller): Promise<SubgraphAnswer> {
    const operation = getOperationAST(this.document);
    if (!operation) throw new GraphQLError('A prepared operation is exactly one operation.');
    const request = { query: this.source, variables };
    // The part of Apollo Server's request context that the executor reads (held by test/apollo-contract.test.ts).
    const context = {
      request,
      document: this.document,
      operation,
      operationName: operation.name?.value ?? null,
      source: this.source,
      queryHash: this.hash,
      schema: this.gateway.schema!,
      context: { caller },
      logger: NOT_LOGGED,
      metrics: {},
    };
    return (await this.gateway.executor(context as never)) as SubgraphAnswer;
  }
}

function pick(variables: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => name in variables).map((name) => [name, variables[name]]));
}

/** The refusal in a GraphQL error. An error without one of our codes is a failure on our side. */
function refusalOf({ message, extensions = {} }: NonNullable<SubgraphAnswer['errors']>[number]): DomainError {
  const { code, details, retryAfterSeconds } = extensions;
  if (!isErrorCode(code)) return new DomainError('INTERNAL_ERROR', 'Something failed on our side.');
  return new DomainError(code, message, {
    ...(Array.isArray(details) && { details: details as ErrorDetail[] }),
    ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
  });
}
