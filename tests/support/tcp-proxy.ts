import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { findPort, releasePort } from '@payroll/tools/local/ports';

/** Answers of a server after a commit: of Postgres, of a consumer over NATS, and over HTTP. */
const COMMITTED = /COMMIT\0|(?:INSERT 0|UPDATE|DELETE) [1-9]|"answer":"applied"|HTTP\/1\.1 20/;

/** A proxy to a server on loopback that can delay, drop or cut data, or lose answers to committed work. */
export class Passage implements AsyncDisposable {
  /** For each chunk, in both directions. */
  delayMs = 0;
  isSilent = false;
  /** The next this many answers to committed work are lost, each with its connection. */
  answersToLose = 0;
  private isClosed = false;
  private readonly pairs = new Set<readonly [Socket, Socket]>();

  private constructor(
    private readonly server: Server,
    private readonly to: number,
  ) {
    server.on('connection', (socket) => this.join(socket));
  }

  static async to(port: number): Promise<Passage> {
    const own = await findPort(0, 'free');
    const server = createServer({ noDelay: true }).listen(own, '127.0.0.1');
    await once(server, 'listening');
    releasePort(own);
    return new Passage(server, port);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** The number of connections that are open. */
  get open(): number {
    return this.pairs.size;
  }

  /** The same address, through this proxy. */
  through(url: string): string {
    return Object.assign(new URL(url), { port: String(this.port) }).href;
  }

  /** Ends all connections; new ones are accepted unless `staysClosed`. */
  cut(staysClosed = false): void {
    this.isClosed = staysClosed;
    for (const [one, other] of this.pairs) {
      one.resetAndDestroy();
      other.resetAndDestroy();
    }
  }

  heal(): void {
    this.isClosed = false;
    this.isSilent = false;
    this.delayMs = 0;
    this.answersToLose = 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.close();
    this.cut(true);
    await once(this.server, 'close');
  }

  private join(client: Socket): void {
    if (this.isClosed) return void client.resetAndDestroy();
    const server = connect({ port: this.to, host: '127.0.0.1', noDelay: true });
    const pair = [client, server] as const;
    this.pairs.add(pair);
    this.carry(client, server, () => false);
    this.carry(server, client, (chunk) => this.losesAnswer(chunk));
    for (const socket of pair) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.pairs.delete(pair);
        client.destroy();
        server.destroy();
      });
    }
  }

  private losesAnswer(chunk: Buffer): boolean {
    if (this.answersToLose === 0 || !COMMITTED.test(chunk.toString('latin1'))) return false;
    this.answersToLose -= 1;
    return true;
  }

  private carry(from: Socket, to: Socket, isLost: (chunk: Buffer) => boolean): void {
    const waiting: { due: number; chunk: Buffer }[] = [];
    let timer: NodeJS.Timeout | undefined;
    const flush = (): void => {
      const now = performance.now();
      while (!this.isSilent && waiting[0] && waiting[0].due <= now) to.write(waiting.shift()!.chunk);
      timer = waiting[0] && setTimeout(flush, this.isSilent ? 50 : waiting[0].due - now + 1);
    };
    from.on('data', (chunk) => {
      if (isLost(chunk)) {
        from.resetAndDestroy();
        return void to.resetAndDestroy();
      }
      if (waiting.length === 0 && this.delayMs === 0 && !this.isSilent) return void to.write(chunk);
      waiting.push({ due: Math.max(performance.now() + this.delayMs, waiting.at(-1)?.due ?? 0), chunk });
      timer ??= setTimeout(flush, this.delayMs);
    });
    from.on('end', () => to.end());
    from.on('close', () => clearTimeout(timer));
  }
}
