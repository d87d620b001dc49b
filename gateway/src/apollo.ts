import { LRUCache } from 'lru-cache';

/** More than internal teams ask in a day. Bounded, since callers can make up any number of texts. */
const MOST_KEPT = 500;

/** Apollo's cache of parsed documents and of plans, by query text: the most recently used. */
export class LatestUsed<Value extends object> {
  private readonly kept = new LRUCache<string, Value>({ max: MOST_KEPT });

  get size(): number {
    return this.kept.size;
  }

  get(key: string): Promise<Value | undefined> {
    return Promise.resolve(this.kept.get(key));
  }

  set(key: string, value: Value): Promise<void> {
    this.kept.set(key, value);
    return Promise.resolve();
  }

  delete(key: string): Promise<boolean> {
    return Promise.resolve(this.kept.delete(key));
  }

  clear(): void {
    this.kept.clear();
  }
}

/** Apollo's own messages repeat what our logs say, with queries in them. */
export const NOT_LOGGED = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
