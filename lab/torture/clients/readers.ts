import { hash } from 'node:crypto';
import type { Tenant } from '../system/workspaces.js';
import type { Clients } from './clients.js';
import type { SeenRow } from '../history.js';

/** In one statement, so that all rows are of the same moment. */
const WRONG = `
  select format('posting %s is off by %s %s', posting_id, sum(amount), currency) as what
    from payments.ledger_entry group by workspace_id, posting_id, currency having sum(amount) <> 0
  union all
  select format('%s of workspace %s is %s %s, its entries add up to %s', account, workspace_id, balance, currency, total)
    from payments.ledger_account full join (
      select workspace_id, account, currency, sum(amount) as total from payments.ledger_entry
      group by workspace_id, account, currency) as entries using (workspace_id, account, currency)
    where coalesce(balance, 0) <> coalesce(total, 0)
  union all
  select format('%s of workspace %s is %s %s', account, workspace_id, balance, currency)
    from payments.ledger_account where account in ('available', 'in_flight') and balance < 0`;

/** Checks the ledger in Postgres repeatedly; does nothing while Postgres is down. */
export async function audit(clients: Clients): Promise<void> {
  await clients.repeat(EVERY_MS, async () => {
    const rows = await clients.system.database.rows<{ what: string }>(WRONG).catch(() => null);
    if (rows) clients.history.log({ type: 'ledger', wrong: rows.map(({ what }) => what) });
  });
}

/** Checks balances at `/v1`: available and pending amounts are never negative. */
export async function watchBalances(clients: Clients, { viewer, id }: Tenant): Promise<void> {
  await clients.repeat(2 * EVERY_MS, async () => {
    type Sums = Record<'available' | 'pending', { amount: string }[]>;
    const { available = [], pending = [] } = (await clients.read<Sums>(viewer.secret, '/balances')) ?? {};
    const negative = [...available, ...pending].filter(({ amount }) => amount.startsWith('-'));
    const wrong = negative.map(({ amount }) => `/balances of workspace ${id} shows ${amount}`);
    clients.history.log({ type: 'ledger', wrong });
  });
}

interface Page {
  data: { id: string; updatedAt: string }[];
  hasMore: boolean;
  nextCursor: string | null;
}

interface List {
  path: string;
  query?: Record<string, string>;
}

export const LISTS: readonly List[] = [
  { path: '/contracts', query: { includeDeleted: 'true' } },
  { path: '/timesheets' },
  { path: '/payments' },
];

const EVERY_MS = 1_000;
/** A row that changes during a comparison is found by the next one. */
const LOOKS = 5;
const BEGINNING = '1970-01-01T00:00:00Z';

/** Follows a list by `updatedSince` and cursors (public-api.md §6); after a switch of databases it starts over. */
export class Follower {
  private readonly known = new Map<string, string>();
  private since = BEGINNING;
  private epoch = -1;

  constructor(
    private readonly clients: Clients,
    private readonly tenant: Tenant,
    private readonly list: List,
  ) {}

  async follow(): Promise<void> {
    await this.clients.repeat(EVERY_MS, () => this.round());
  }

  /** After everything is healed: the rows of the whole list that it has missed and keeps missing. */
  async compare(): Promise<void> {
    for (let looks = 1; ; looks++) {
      const { missed, rows } = await this.missed();
      if (missed.length > 0 && looks < LOOKS) {
        await this.clients.think(EVERY_MS);
        continue;
      }
      const { path: list } = this.list;
      return this.clients.history.log({ type: 'compared', list, workspace: this.tenant.id, missed, rows });
    }
  }

  private async missed(): Promise<{ missed: string[]; rows: number }> {
    while (!(await this.round())) await this.clients.think(EVERY_MS);
    const all: SeenRow[] = [];
    while (!(await this.walk({}, (rows) => void all.push(...rows)))) all.length = 0;
    const missed = all.filter(([id, , digest]) => this.known.get(id) !== digest).map(([id]) => id);
    return { missed, rows: all.length };
  }

  /** From its position to the current end of the list; false if that failed. */
  private async round(): Promise<boolean> {
    if (this.epoch !== this.clients.epoch) {
      this.epoch = this.clients.epoch;
      this.known.clear();
      this.since = BEGINNING;
    }
    return await this.walk({ updatedSince: this.since }, (rows, from) => {
      const { path: list } = this.list;
      const about = { list, workspace: this.tenant.id, by: this.tenant.viewer.principalId, epoch: this.epoch };
      // Log only new rows of a large page: the last row is repeated in every round.
      const news = rows.filter(([id, , digest]) => this.known.get(id) !== digest);
      if (news.length > 0) this.clients.history.log({ type: 'read', from, ...about, rows: news });
      for (const [id, updatedAt, digest] of rows) {
        this.known.set(id, digest);
        this.since = updatedAt;
      }
    });
  }

  private async walk(more: Record<string, string>, see: (rows: SeenRow[], from: number) => void): Promise<boolean> {
    const { clients, list, tenant } = this;
    const { epoch } = clients;
    let cursor: string | null = null;
    do {
      const from = clients.history.now;
      const query: Record<string, string> = {
        ...list.query,
        ...more,
        limit: '100',
        ...(cursor !== null && { cursor }),
      };
      const page: Page | undefined = await clients.read<Page>(tenant.viewer.secret, list.path, { query });
      if (page === undefined || clients.epoch !== epoch) return false;
      see(page.data.map(seen), from);
      cursor = page.hasMore ? page.nextCursor : null;
    } while (cursor !== null);
    return true;
  }
}

function seen(row: Page['data'][number]): SeenRow {
  return [row.id, row.updatedAt, hash('sha256', JSON.stringify(row), 'base64url').slice(0, 12)];
}
