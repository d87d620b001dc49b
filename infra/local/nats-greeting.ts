import { connect } from 'node:net';

/** What a NATS server says first, before any credentials; empty when nobody answers. It listens only once JetStream is up. */
export function greetingOf(port: number): Promise<string> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 1_000 });
    let text = '';
    const finish = (): void => {
      socket.destroy();
      done(text);
    };
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
      if (text.includes('\n')) finish();
    });
    socket.on('error', finish);
    socket.on('timeout', finish);
    socket.on('close', finish);
  });
}
