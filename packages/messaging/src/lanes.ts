/** Work of one key goes in order, work of different keys side by side, in at most `count` lanes. */
export class Lanes {
  private readonly tails: Promise<void>[];

  constructor(count: number) {
    this.tails = Array.from({ length: count }, () => Promise.resolve());
  }

  /** `work` must not reject. */
  add(key: string, work: () => Promise<void>): void {
    const lane = hash(key) % this.tails.length;
    this.tails[lane] = this.tails[lane]!.then(work);
  }

  /** Resolves when all that was added before is done. */
  async idle(): Promise<void> {
    await Promise.all(this.tails);
  }
}

function hash(key: string): number {
  let sum = 0;
  for (let i = 0; i < key.length; i++) sum = (sum * 31 + key.charCodeAt(i)) >>> 0;
  return sum;
}
