import { accessSync, constants } from 'node:fs';
import { type Log, type Settings, StartError } from '@payroll/runtime';
import { type ConnectionOptions, usernamePasswordAuthenticator } from '@nats-io/transport-node';

/** Where NATS is, and how each side proves who it is. */
export interface NatsSettings {
  /** `nats://user:password@host:port` or `tls://…`; several servers of a cluster with commas. The user is the process. */
  url: string;
  /** Tried if NATS refuses that of the URL: while a password is rotated there are two. */
  otherPassword?: string;
  /** PEM files for TLS: the CA of the server (default: the public CAs), and our own certificate. */
  caFile?: string;
  certFile?: string;
  keyFile?: string;
}

export interface NatsOptions extends NatsSettings {
  /** Shown in the server's monitoring. */
  name: string;
  log: Log;
}

export function natsSettings(s: Settings): NatsSettings {
  const [password, otherPassword] = s.secrets('NATS_PASSWORD') ?? [];
  return {
    url: s.natsUrl(password),
    ...(otherPassword !== undefined && { otherPassword }),
    caFile: s.text('NATS_CA_FILE', ''),
    certFile: s.text('NATS_CERT_FILE', ''),
    keyFile: s.text('NATS_KEY_FILE', ''),
  };
}

/** @throws StartError for a file that cannot be read: the client would try to connect with it again and again */
export function requireReadable({ caFile, certFile, keyFile }: NatsSettings): void {
  for (const [name, file] of Object.entries({
    NATS_CA_FILE: caFile,
    NATS_CERT_FILE: certFile,
    NATS_KEY_FILE: keyFile,
  })) {
    try {
      if (file) accessSync(file, constants.R_OK);
    } catch {
      throw new StartError(`${name}: ${file} cannot be read; name a PEM file that this process may read`);
    }
  }
}

export function connectionOptions(
  { url, name, ...files }: Omit<NatsOptions, 'log' | 'otherPassword'>,
  password: () => string,
): ConnectionOptions {
  const urls = url.split(',').map((each) => new URL(each));
  const user = decodeURIComponent(urls[0]!.username);
  const isSecure = urls.some(({ protocol }) => protocol === 'tls:') || Boolean(files.caFile);
  return {
    servers: urls.map(({ protocol, host }) => `${protocol}//${host}`),
    name,
    ...(isSecure && { tls: files }),
    // Called at each attempt to connect.
    ...(user !== '' && { authenticator: usernamePasswordAuthenticator(user, password) }),
    // Private: no other process may subscribe to this process's answers (docs/architecture.md, NATS).
    inboxPrefix: user === '' ? '_INBOX' : `_INBOX_${user}`,
    maxReconnectAttempts: -1,
    reconnectDelayHandler: delayBetweenConnects(),
    // Where both passwords are wrong, the process is replaced and gets the right one; until then it keeps trying.
    ignoreAuthErrorAbort: true,
    timeout: 5_000,
    // A peer that vanished silently is noticed within 30 s; requests time out earlier by themselves.
    pingInterval: 10_000,
    noAsyncTraces: true,
  };
}

const RECONNECT_MS = 250;

/**
 * 250 to 500 ms. nats.js counts the delay from the last connect by the wall clock: if that clock was set back, it would wait
 * for as long as the jump. In that case -Infinity makes it reconnect at once.
 */
export function delayBetweenConnects(now: () => number = Date.now): () => number {
  let last = -Infinity;
  return () => {
    const hasGoneBack = now() < last;
    last = now();
    return hasGoneBack ? -Infinity : RECONNECT_MS * (1 + Math.random());
  };
}
