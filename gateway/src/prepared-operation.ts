import { createHash } from 'node:crypto';
import type { ApolloGateway } from '@apollo/gateway';
import { DomainError, isErrorCode, unavailable, type ErrorDetail } from '@payroll/kernel';
import { getOperationAST, GraphQLError, parse, validate, type DocumentNode } from 'graphql';
import { NOT_LOGGED } from './apollo.js';
import type { SubgraphAnswer } from './subgraph-message.js';
import type { Caller, SubgraphQuestion, SubgraphSource } from './subgraph-source.js';

/** The plan of an operation that one service answers alone. */
export interface PlannedFetch {
  source: SubgraphSource;
  operation: string;
  variableUsages: readonly string[];
  /** Whether the service is asked for just what was prepared, so that its answer can be passed on unread (ADR 07). */
  mayBeText: boolean;
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
    return (await this.answer(variables, caller, false)).data as Data;
  }

  /**
   * The same for who passes the answer on: where a service has written it, the JSON text of the operation's one field.
   * @throws DomainError as `run`
   */
  async runToText(variables: Variables, caller: Caller): Promise<{ text: string } | { data: Data }> {
    const { text, data } = await this.answer(variables, caller, true);
    return text === undefined ? { data: data as Data } : { text };
  }

  private async answer(variables: Variables, caller: Caller, mayBeText: boolean): Promise<SubgraphAnswer> {
    const planned = this.plans.get(this.hash);
    const answer = planned
      ? await planned.source.send(questionOf(planned, variables, mayBeText), caller)
      : await this.execute(variables, caller);
    const [first] = answer.errors ?? [];
    if (first) throw refusalOf(first);
    return answer;
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

function questionOf(
  { operation, variableUsages, mayBeText }: PlannedFetch,
  given: Record<string, unknown>,
  wantsText: boolean,
): SubgraphQuestion {
  const variables: Record<string, unknown> = {};
  for (const name of variableUsages) if (name in given) variables[name] = given[name];
  return { query: operation, variables, text: wantsText && mayBeText ? true : undefined };
}

/** The refusal in a GraphQL error. An error without one of our codes is a failure on our side. */
function refusalOf({ message, extensions = {} }: NonNullable<SubgraphAnswer['errors']>[number]): DomainError {
  const { code, details, retryAfterSeconds } = extensions;
  if (!isErrorCode(code)) return new DomainError('INTERNAL_ERROR', 'Something failed on our side.');
  // The caller was admitted a moment ago: what is refused is our token, by a clock that differs or because it came late.
  if (code === 'INVALID_CREDENTIAL') return unavailable('A part of the service that the answer needs');
  return new DomainError(code, message, {
    ...(Array.isArray(details) && { details: details as ErrorDetail[] }),
    ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
  });
}
