const PAGE = 50;

/**
 * Takes the page's rows and one more, which shows that there is a next page; `at` is the column of the page's order.
 */
export function pageOf<Row extends { id: string }>(
  rows: readonly Row[],
  at: keyof Row,
  shown: (row: Row) => object,
): object {
  const hasMore = rows.length > PAGE;
  const data = hasMore ? rows.slice(0, PAGE) : rows;
  const last = data.at(-1);
  const nextCursor = hasMore && last ? Buffer.from(JSON.stringify([last[at], last.id])).toString('base64url') : null;
  return { data: data.map(shown), hasMore, nextCursor };
}
