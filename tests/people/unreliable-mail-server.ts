import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

export interface AcceptedMail {
  id: string;
  to: string;
  subject: string;
  /** The address in its List-Unsubscribe header; empty without one. */
  stopUrl: string;
  text: string;
}

/** `drop`: the mail was read, and the connection ends without an answer. */
export type Treatment = 'accept' | 'refuse' | 'drop';

/** An SMTP server whose answers a test chooses. A mail counts as accepted before the sender can know. */
export async function startUnreliableMailServer() {
  const accepted: AcceptedMail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    void converse(socket)
      .catch(() => socket.destroy())
      .finally(() => sockets.delete(socket));
  });
  const open = {
    accepted,
    treat: (): { treatment: Treatment; afterMs: number } => ({ treatment: 'accept', afterMs: 0 }),
    url: '',
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };

  async function converse(socket: Socket): Promise<void> {
    let isGone = false;
    socket.on('error', () => {}).setNoDelay(true);
    socket.once('end', () => (isGone = true)).once('close', () => (isGone = true));
    socket.write('220 mail.example\r\n');
    let to = '';
    let body: string[] | undefined;
    for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) {
      if (body !== undefined) {
        if (line !== '.') {
          body.push(line);
          continue;
        }
        const { treatment, afterMs } = open.treat();
        await pause(afterMs);
        if (treatment === 'drop' || isGone) return void socket.destroy();
        if (treatment === 'accept') accepted.push(read(to, body));
        socket.write(treatment === 'accept' ? '250 accepted\r\n' : '451 not now\r\n');
        body = undefined;
      } else if (/^DATA/i.test(line)) {
        body = [];
        socket.write('354 go on\r\n');
      } else if (/^QUIT/i.test(line)) return void socket.end('221 bye\r\n');
      else {
        to = /^RCPT TO:<(.*?)>/i.exec(line)?.[1] ?? to;
        socket.write('250 ok\r\n');
      }
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return open;
}

function read(to: string, lines: readonly string[]): AcceptedMail {
  const [head = '', ...rest] = lines.join('\n').split('\n\n');
  const unfolded = head.replaceAll(/\n[ \t]/g, ' ');
  const header = (name: string): string => new RegExp(`^${name}: (.*)$`, 'im').exec(unfolded)?.[1] ?? '';
  return {
    id: header('Message-ID'),
    to,
    subject: header('Subject'),
    stopUrl: /<(.*)>/.exec(header('List-Unsubscribe'))?.[1] ?? '',
    text: rest.join('\n\n').replaceAll('=\n', ''),
  };
}
