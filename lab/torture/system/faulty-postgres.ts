import { once } from 'node:events';
import { type Server, type Socket, connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessName } from '@payroll/infra/processes';
import type { Stack } from '@payroll/tools/local/assemble-stack';
import { findPort, releasePort } from '@payroll/tools/local/ports';

/** The points of a command at which a fault can strike. */
export const POINTS = ['BEGIN', 'first write', 'second write', 'ROLLBACK'] as const;
export type Point = (typeof POINTS)[number];
export const FAULTS = ['cancelled', 'terminated', 'timed out'] as const;
export type Fault = (typeof FAULTS)[number];

interface Options {
  /** Awaited before each statement is passed on, so that a test can act between two statements. */
  before?: () => Promise<void>;
  faults?: Faults;
}

interface Faults {
  /** The fault that strikes at this point of this command, if any. */
  choose: (point: Point) => Fault | null;
  /** Cancels a backend's statement, as an operator would. */
  cancel: (pid: number) => Promise<unknown>;
}

/** Replaces a statement: the backend cancels itself, so that the cancel strikes exactly there. */
const CANCELLED = query('select pg_cancel_backend(pg_backend_pid()), pg_sleep(1)');
/** Longer than the role's statement timeout. */
const TIMED_OUT = query('select pg_sleep(10)');
/** Statements take less than a millisecond, so that a single cancel may arrive too late. */
const CANCELS = 3;

/** A proxy to Postgres that parses its protocol and injects faults at chosen points of a transaction. */
export class FaultyPostgres implements AsyncDisposable {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly port: number,
    private readonly options: Options,
  ) {
    server.on('connection', (client) => this.join(client));
  }

  /** Restarts these processes, each behind a proxy of its own. */
  static async putBefore(
    stack: Stack,
    names: readonly ProcessName[],
    options: Options,
    cleanup: AsyncDisposableStack,
  ): Promise<void> {
    const restarted = names.map(async (name) => {
      const url = new URL(stack.environmentOf(name)['DATABASE_URL']!);
      const own = await findPort(0, 'free');
      const server = createServer({ noDelay: true }).listen(own, '127.0.0.1');
      await once(server, 'listening');
      releasePort(own);
      cleanup.use(new FaultyPostgres(server, Number(url.port), options));
      await stack.stop(name);
      await stack.start(name, { DATABASE_URL: Object.assign(url, { port: String(own) }).href });
    });
    await Promise.all(restarted);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }

  private join(client: Socket): void {
    const server = connect({ port: this.port, host: '127.0.0.1', noDelay: true });
    for (const socket of [client, server]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    const session = new Session(client, server, this.options);
    const fromClient = new Messages(false);
    const fromServer = new Messages(true);
    let order = Promise.resolve();
    client.on('data', (chunk) => {
      const messages = fromClient.take(chunk);
      order = order.then(() => session.send(messages));
    });
    server.on('data', (chunk) => {
      session.hear(fromServer.take(chunk));
      client.write(chunk);
    });
  }
}

/** One connection, and the phase of its transaction. */
class Session {
  private pid = 0;
  private phase: 'none' | 'first write' | 'second write' = 'none';
  private isStruck = false;

  constructor(
    private readonly client: Socket,
    private readonly server: Socket,
    private readonly options: Options,
  ) {}

  hear(messages: readonly Message[]): void {
    for (const { type, bytes } of messages) {
      if (type === 'K') this.pid = bytes.readInt32BE(5);
      // BEGIN has been answered: the next statements are the second write.
      if (type === 'Z' && this.phase === 'first write') this.phase = 'second write';
    }
  }

  async send(messages: readonly Message[]): Promise<void> {
    for (const message of messages) {
      if (message.type === 'B' || message.type === 'Q') await this.options.before?.();
      if (this.client.destroyed) return;
      const point = this.pointOf(message);
      const { faults } = this.options;
      const fault = (point && faults?.choose(point)) ?? null;
      if (fault === null) this.server.write(message.bytes);
      else await this.strike(fault, message, faults!);
      if (this.client.destroyed) return;
    }
  }

  /** A write is struck at its first statement. */
  private pointOf({ type, bytes }: Message): Point | null {
    const text = type === 'Q' ? bytes.toString('latin1', 5, bytes.length - 1).toLowerCase() : '';
    if (text === 'begin') {
      this.phase = 'first write';
      this.isStruck = false;
      return 'BEGIN';
    }
    if (text === 'rollback' || text === 'commit') {
      this.phase = 'none';
      return text === 'rollback' ? 'ROLLBACK' : null;
    }
    if (type !== 'B' || this.phase === 'none' || this.isStruck) return null;
    this.isStruck = this.phase === 'second write';
    return this.phase;
  }

  private async strike(fault: Fault, { type, bytes }: Message, { cancel }: Faults): Promise<void> {
    if (fault === 'terminated') {
      this.client.resetAndDestroy();
      return void this.server.resetAndDestroy();
    }
    if (type === 'Q') return void this.server.write(fault === 'cancelled' ? CANCELLED : TIMED_OUT);
    this.server.write(bytes);
    for (let n = 0; n < CANCELS; n++) {
      await cancel(this.pid).catch(() => undefined);
      await pause(1);
    }
  }
}

interface Message {
  type: string;
  /** The whole message, including type and length. */
  bytes: Buffer;
}

/** Splits a stream into messages. A client's first one has no type. */
class Messages {
  private rest: Buffer = Buffer.alloc(0);

  constructor(private isTyped: boolean) {}

  take(chunk: Buffer): Message[] {
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const messages: Message[] = [];
    for (;;) {
      const head = this.isTyped ? 1 : 0;
      if (this.rest.length < head + 4) return messages;
      const length = head + this.rest.readInt32BE(head);
      if (this.rest.length < length) return messages;
      const bytes = this.rest.subarray(0, length);
      messages.push({ type: this.isTyped ? String.fromCharCode(bytes[0]!) : '', bytes });
      this.rest = this.rest.subarray(length);
      this.isTyped = true;
    }
  }
}

function query(text: string): Buffer {
  const body = Buffer.from(`${text}\0`);
  const head = Buffer.alloc(5);
  head.write('Q');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
