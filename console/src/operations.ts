import type { Caller, Gateway, PreparedOperation } from '@payroll/gateway';

type Variables = Record<string, unknown>;

/** A question or a change that pages put to the graph; what it answers is what its document selects. */
export class Operation<Data, Given extends Variables> {
  /** For types alone. */
  declare readonly answers: (given: Given) => Data;

  constructor(readonly document: string) {
    known.add(this);
  }
}

/** What an operation answers. */
export type AnswerOf<Asked> = Asked extends Operation<infer Data, never> ? Data : never;

/** Each is written once, where its page is, and all are known before the first request. */
const known = new Set<Operation<unknown, never>>();

/** The operations of all pages, prepared. @throws GraphQLError at start for one that does not fit the graph */
export class PreparedOperations {
  private readonly prepared;

  constructor(gateway: Gateway) {
    const prepare = ({ document }: Operation<unknown, never>) => gateway.prepare<unknown, Variables>(document);
    this.prepared = new Map([...known].map((operation) => [operation.document, prepare(operation)]));
  }

  /** @throws DomainError the first refusal of any service: there are no partial answers */
  async run<Data, Given extends Variables>(
    { document }: Operation<Data, Given>,
    given: Given,
    caller: Caller,
  ): Promise<Data> {
    const prepared = this.prepared.get(document) as PreparedOperation<Data, Variables>;
    return await prepared.run(given, caller);
  }
}
