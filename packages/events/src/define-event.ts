import type { TSchema } from 'typebox';

/** The services that events travel between. */
export type EventService = 'workspaces' | 'contracts' | 'review' | 'payments';

export interface EventDefinition<Body extends TSchema = TSchema> {
  publisher: EventService;
  /** Those that must confirm it before the publisher stops offering it. */
  consumers: readonly EventService[];
  /** Ids, dates, amounts and states; never personal text. Open to further fields, so that a publisher may be newer. */
  body: Body;
}

export function defineEvent<const Body extends TSchema>(definition: EventDefinition<Body>): EventDefinition<Body> {
  return definition;
}
