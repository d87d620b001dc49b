import { exchange } from './integrator.js';

export interface Row {
  id: string;
  updatedAt: string;
  [field: string]: unknown;
}

interface Page {
  data: Row[];
  hasMore: boolean;
  nextCursor: string | null;
}

export interface List {
  restUrl: string;
  key: string;
  /** Includes the fixed filters: `/contracts?includeDeleted=true`. */
  path: string;
}

const FROM_THE_BEGINNING = '1970-01-01T00:00:00Z';

async function page({ restUrl, key, path }: List, more: Record<string, string>): Promise<Page> {
  const url = new URL(restUrl + path);
  for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value);
  const { status, text } = await exchange(url.href, { key });
  if (status !== 200) throw new Error(`${url.pathname}${url.search}: ${status} ${text}`);
  return JSON.parse(text) as Page;
}

/** Every row of a list, page by page, in order. */
export async function walk(list: List, limit: number, more: Record<string, string> = {}): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const found = await page(list, { ...more, limit: String(limit), ...(cursor !== null && { cursor }) });
    rows.push(...found.data);
    cursor = found.hasMore ? found.nextCursor : null;
  } while (cursor !== null);
  return rows;
}

/**
 * Follows a list as public-api.md §6 and the contract document tell integrators to: reads all of it once, then polls
 * from the greatest `updatedAt` received. It never looks back.
 */
export class Poller {
  readonly known = new Map<string, Row>();
  private since = FROM_THE_BEGINNING;

  constructor(
    private readonly list: List,
    private readonly random: () => number,
  ) {}

  /** One round, from the last position to the current end of the list, with pages of random size. */
  async round(): Promise<void> {
    const limit = 1 + Math.floor(this.random() * 100);
    for (const row of await walk(this.list, limit, { updatedSince: this.since })) {
      // All times have six decimals, so that they compare as text.
      if (row.updatedAt < this.since) throw new Error(`${row.id} of ${row.updatedAt} came after ${this.since}`);
      this.since = row.updatedAt;
      this.known.set(row.id, row);
    }
  }
}
