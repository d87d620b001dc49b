import { DomainError, isErrorCode, unavailable, type ErrorDetail } from '@payroll/kernel';
import type { Caller, SubgraphResponse } from './subgraph-source.js';

/** Sends an operation. The response of a single service is unparsed text; that of several is an object. */
export type Ask = (variables: Record<string, unknown>, caller: Caller) => Promise<string | SubgraphResponse>;

/** An operation planned at start. */
export class PreparedOperation<Data, Variables extends Record<string, unknown>> {
  private readonly start: string;

  /** `field`: the name in the answer of its only field, or of its first. */
  constructor(
    private readonly ask: Ask,
    private readonly field: string,
    private readonly isOneField: boolean,
  ) {
    this.start = `{"data":{"${field}":`;
  }

  /** @throws DomainError the first error of any service: partial results are not returned. */
  async run(variables: Variables, caller: Caller): Promise<Data> {
    return dataOf(await this.ask(variables, caller)) as Data;
  }

  /**
   * As `run`, for callers that pass the answer on: the value of the operation's field as JSON, as the service wrote it.
   * @throws DomainError as `run`
   */
  async runToText(variables: Variables, caller: Caller): Promise<string> {
    const response = await this.ask(variables, caller);
    const isUnread = this.isOneField && typeof response === 'string';
    if (isUnread && response.startsWith(this.start) && response.endsWith('}}')) {
      return response.slice(this.start.length, -2);
    }
    return JSON.stringify(dataOf(response)[this.field] ?? null);
  }
}

function dataOf(response: string | SubgraphResponse): Record<string, unknown> {
  const { errors = [], data } = typeof response === 'string' ? (JSON.parse(response) as SubgraphResponse) : response;
  if (errors.length > 0 || !data) throw refusalOf(errors[0]);
  return data;
}

/** The refusal in a GraphQL error. An error without one of our codes is a failure on our side. */
function refusalOf(error: NonNullable<SubgraphResponse['errors']>[number] = { message: '' }): DomainError {
  const { message, extensions: { code, details, retryAfterSeconds } = {} } = error;
  if (!isErrorCode(code)) return new DomainError('INTERNAL_ERROR', 'Something failed on our side.');
  // Admission has just accepted the caller, so the service rejected our actor token: clock skew, or it arrived after it had
  // expired.
  if (code === 'INVALID_CREDENTIAL') return unavailable('A part of the service that the answer needs');
  return new DomainError(code, message, {
    ...(Array.isArray(details) && { details: details as ErrorDetail[] }),
    ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
  });
}
