import type { ConnectionOptions } from 'nats';
import type { Log } from './log.js';

export interface NatsOptions {
  /** `nats://user:password@host:port`; the user is the process. */
  url: string;
  /** Shown in the server's monitoring. */
  name: string;
  log: Log;
}

export function connectionOptions({ url, name }: NatsOptions): ConnectionOptions {
  const { protocol, host, username, password } = new URL(url);
  const user = decodeURIComponent(username);
  return {
    servers: `${protocol}//${host}`,
    name,
    ...(protocol === 'tls:' ? { tls: {} } : {}),
    ...(user === '' ? {} : { user, pass: decodeURIComponent(password) }),
    // Nobody else may listen to answers meant for this process (docs/architecture.md, NATS).
    inboxPrefix: user === '' ? '_INBOX' : `_INBOX_${user}`,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    // A changed password is a reason to try on: the process is given the new one by being replaced.
    ignoreAuthErrorAbort: true,
    timeout: 5_000,
    // A peer that vanished without a word is noticed within 30 s; requests time out by themselves before.
    pingInterval: 10_000,
    noAsyncTraces: true,
  };
}
