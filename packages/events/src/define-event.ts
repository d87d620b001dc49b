import type { TSchema } from 'typebox';

/** The services that events travel between. */
export type EventService = 'workspaces' | 'contracts' | 'review' | 'payments';

export interface EventDefinition {
  publisher: EventService;
  /** Those that must confirm it before the publisher stops offering it. */
  consumers: readonly EventService[];
  /** Ids, dates, amounts and states; never personal text. Open to further fields, so that a publisher may be newer. */
  body: TSchema;
  /**
   * Consumers of this release know it, publishers of the next one tell it: while a release is rolled out, an older consumer
   * would only hold it. `test/released.test.ts` says which types need this.
   */
  heardOnly?: true;
}

export function defineEvent<const Definition extends EventDefinition>(definition: Definition): Definition {
  return definition;
}
