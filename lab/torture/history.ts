import { createReadStream, createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';

/** A client's intent; sent as often as necessary, under one key. */
export interface Intent {
  does: 'approve' | 'reject' | 'create' | 'demote' | 'promote';
  via: 'v1' | 'graph' | 'mcp' | 'inside';
  workspace: string;
  /** The work, the draft's reference or the member. */
  about: string;
  /** Unique in the run. */
  key: string;
  /** The client; with a role other than admin it may not do this. */
  by: string;
  role: string;
}

/** `at` is in ms since the run began, by the clients' common clock. */
type At<Event> = Event & { at: number };

/** `try` is the number of the try, the same in its outcome. */
export type Invoked = At<Intent & { type: 'invoke'; try: number }>;

export type Outcome = At<
  { try: number } & (
    | { type: 'ok'; body: string }
    | { type: 'refused'; code: string }
    | { type: 'unknown'; why: string }
  )
>;

/** A row as a list or a single read has shown it. */
export type SeenRow = [id: string, updatedAt: string, digest: string];

/** A follower starts a new epoch after a switch. */
export type Read = At<{
  type: 'read';
  from: number;
  by: string;
  workspace: string;
  epoch: number;
  list: string;
  rows: SeenRow[];
}>;

/** A switch of databases: commits after `copiedAt` and before `at` are lost, unless they were made again. */
export type Switched = At<{ type: 'switch'; copiedAt: number }>;

export type Entry =
  | Invoked
  | Outcome
  | Read
  | Switched
  /** A full list after everything was healed, compared with what its follower knew; `missed` rows differ or are missing. */
  | At<{ type: 'compared'; list: string; workspace: string; missed: string[]; rows: number }>
  | At<{ type: 'ledger'; wrong: string[] }>
  | At<{ type: 'fault'; kind: string; about: string }>
  /** The provider has forgotten an order of this amount that it had acknowledged, and that payments had recorded. */
  | At<{ type: 'forgotten'; amount: string }>
  /** An answer that openapi.json does not allow, or that shows resources of another workspace. */
  | At<{ type: 'improper'; rule: 'documented' | 'apart'; what: string }>;
type Untimed<Each> = Each extends Entry ? Omit<Each, 'at'> : never;

/** The clients' observations, one JSON object per line. */
export class History implements AsyncDisposable {
  private readonly stream;
  private tries = 0;

  constructor(readonly file: string) {
    mkdirSync(dirname(file), { recursive: true });
    this.stream = createWriteStream(file);
  }

  get now(): number {
    return Math.round(performance.now() * 10) / 10;
  }

  log(entry: Untimed<Entry>): void {
    this.stream.write(`${JSON.stringify({ at: this.now, ...entry })}\n`);
  }

  /** @returns the number under which the outcome of this try has to be logged */
  invoke(intent: Intent): number {
    const number = this.tries++;
    this.log({ type: 'invoke', try: number, ...intent });
    return number;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stream.end();
    await finished(this.stream);
  }
}

/** A run of half an hour shows the same rows millions of times: each text of a row is kept once. */
export async function readHistory(file: string): Promise<Entry[]> {
  const texts = new Map<string, string>();
  const kept = (text: string): string => texts.get(text) ?? (texts.set(text, text), text);
  const entries: Entry[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const entry = JSON.parse(line) as Entry;
    if (entry.type === 'read') {
      entry.rows = entry.rows.map(([id, updatedAt, digest]) => [kept(id), kept(updatedAt), kept(digest)]);
    }
    entries.push(entry);
  }
  return entries;
}
