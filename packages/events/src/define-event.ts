import type { TSchema } from 'typebox';

/** The services that events travel between. */
export type EventService = 'workspaces' | 'contracts' | 'review' | 'payments';

export interface EventDefinition<
  Body extends TSchema = TSchema,
  Consumers extends readonly EventService[] = readonly EventService[],
> {
  publisher: EventService;
  /** Those that must confirm it before the publisher stops offering it. */
  consumers: Consumers;
  /** Ids, dates, amounts and states; never personal text. Open to further fields, so that a publisher may be newer. */
  body: Body;
}

export function defineEvent<const Body extends TSchema, const Consumers extends readonly EventService[]>(
  definition: EventDefinition<Body, Consumers>,
): EventDefinition<Body, Consumers> {
  return definition;
}
