/** Larger bodies are refused with 413, so nothing in a request can be longer or more than fits in here. */
export const BODY_LIMIT_BYTES = 1_048_576;

/** How many of a list's items fit into a body, given the shortest there is: items are parted by commas. */
export function mostItems(shortest: string): number {
  return Math.floor(BODY_LIMIT_BYTES / (shortest.length + 1));
}

/** All that is wrong is said at once, but a hostile body gets no answer larger than itself. */
export const MOST_PROBLEMS = 1000;

/** What a Postgres `integer` and a GraphQL `Int` hold. */
export const GREATEST_INTEGER = 2_147_483_647;
