import { createReadStream, createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';

/** What a client wants of the system; sent as often as it takes, under one key. */
export interface Intent {
  does: 'approve' | 'reject' | 'create' | 'demote' | 'promote';
  door: 'v1' | 'graph' | 'mcp' | 'inside';
  workspace: string;
  /** The work, the draft's reference or the member. */
  about: string;
  /** Unique in the run. */
  key: string;
  /** Who asks; a role other than admin is one that may not. */
  by: string;
  role: string;
}

/** Times are in ms since the run began, by the one clock of the clients. */
interface Timed {
  at: number;
}

export interface Invoked extends Timed, Intent {
  type: 'invoke';
  /** Of one try: its outcome has the same. */
  try: number;
}

export type Outcome = Timed & { try: number } & (
    | { type: 'ok'; body: string }
    | { type: 'refused'; code: string }
    | { type: 'unknown'; why: string }
  );

/** A row as a list or a single read has shown it. */
export type SeenRow = [id: string, updatedAt: string, digest: string];

export interface Read extends Timed {
  type: 'read';
  from: number;
  by: string;
  workspace: string;
  /** Of a follower that began anew after a switch: a new one. */
  epoch: number;
  list: string;
  rows: SeenRow[];
}

/** All of a list after everything was healed, beside what its follower knew by then. */
interface Compared extends Timed {
  type: 'compared';
  list: string;
  workspace: string;
  /** Rows that the follower has otherwise, or not at all. */
  missed: string[];
  rows: number;
}

interface LedgerRead extends Timed {
  type: 'ledger';
  wrong: string[];
}

interface Fault extends Timed {
  type: 'fault';
  kind: string;
  about: string;
}

/** Another history: what was committed after `copiedAt` and before `at` is lost, unless it was committed again. */
export interface Switched extends Timed {
  type: 'switch';
  copiedAt: number;
}

/** The provider has forgotten an order of this amount that it had acknowledged, and that payments knew of. */
interface Forgotten extends Timed {
  type: 'forgotten';
  amount: string;
}

/** An answer that openapi.json does not have, or that shows another workspace's belongings. */
interface Improper extends Timed {
  type: 'improper';
  rule: 'documented' | 'apart';
  what: string;
}

export type Entry = Invoked | Outcome | Read | Compared | LedgerRead | Fault | Switched | Forgotten | Improper;
type Untimed<Each> = Each extends Timed ? Omit<Each, 'at'> : never;

/** What the clients have seen, one JSON object a line. */
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

  /** @returns what the outcome of this try has to be logged under */
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

export async function readGeneration(file: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const line of createInterface({ input: createReadStream(file) })) entries.push(JSON.parse(line) as Entry);
  return entries;
}
