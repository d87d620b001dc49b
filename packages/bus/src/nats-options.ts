import type { ConnectionOptions, TlsOptions } from 'nats';
import type { Log } from './log.js';
import type { NatsSettings } from './settings.js';

export interface NatsOptions extends NatsSettings {
  /** Shown in the server's monitoring. */
  name: string;
  log: Log;
}

export function connectionOptions({ url, name, ...files }: NatsOptions): ConnectionOptions {
  const urls = url.split(',').map((each) => new URL(each));
  const [{ username, password } = { username: '', password: '' }] = urls;
  const user = decodeURIComponent(username);
  return {
    servers: urls.map(({ protocol, host }) => `${protocol}//${host}`),
    name,
    ...((urls.some(({ protocol }) => protocol === 'tls:') || files.caFile !== undefined) && { tls: tlsFiles(files) }),
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

function tlsFiles({ caFile, certFile, keyFile }: Partial<NatsSettings>): TlsOptions {
  return {
    ...(caFile !== undefined && { caFile }),
    ...(certFile !== undefined && { certFile }),
    ...(keyFile !== undefined && { keyFile }),
  };
}
