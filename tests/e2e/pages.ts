import { must } from './integrator.js';

interface Page<Item> {
  data: Item[];
  hasMore: boolean;
  nextCursor: string | null;
}

interface PageResult<Item> {
  data?: Page<Item>;
  response: Response;
}

/** Reads a list to its end, as public-api.md §4 says: `nextCursor` as `cursor`, all other filters unchanged. */
export async function allPages<Item>(get: (cursor?: string) => Promise<PageResult<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | undefined; ;) {
    const page = must(await get(cursor));
    items.push(...page.data);
    if (page.hasMore !== (page.nextCursor !== null)) throw new Error('hasMore and nextCursor disagree');
    if (page.nextCursor === null) return items;
    cursor = page.nextCursor;
  }
}
