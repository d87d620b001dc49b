import { SERVICES, type ServiceName } from '@payroll/kernel';
import { type NatsPasswords, permissionsOf } from './permissions.js';
import { inUse } from '../rotation.js';

interface NatsConfig {
  /** Loopback unless a private network is configured: the server's default would be every interface. */
  readonly host?: string;
  readonly port: number;
  /** Address of the monitoring endpoint, which needs no password; off by default. */
  readonly monitor?: string;
  readonly passwords: NatsPasswords;
  /** Shown in the server's greeting; distinguishes our server from another one on the same port. */
  readonly serverName?: string;
}

/** The configuration file of `nats-server`, with every user and its subjects. Contains the passwords: mode 0600. */
export function renderNatsConfig(config: NatsConfig): string {
  const { host = '127.0.0.1', port, monitor, passwords, serverName } = config;
  const optional = (key: string, value?: string): string => (value === undefined ? '' : `${key}: ${quote(value)}\n`);
  return `${optional('server_name', serverName)}${optional('http', monitor)}listen: ${quote(`${host}:${port}`)}
max_payload: 1MB
# A process that is suspended or cut off leaves its queue groups within 9 s.
ping_interval: "3s"
ping_max: 2
${renderNatsUsers(passwords)}`;
}

/** Every user and its subjects: all that an externally managed server needs from us. It knows the password in use. */
export function renderNatsUsers(passwords: NatsPasswords): string {
  return `authorization {
  users: [
${SERVICES.map((user) => renderUser(user, passwords[user])).join('\n')}
  ]
}
`;
}

function renderUser(user: ServiceName, password: string): string {
  const { publish, subscribe } = permissionsOf(user);
  // 15 s: longer than a caller's longest deadline (10 s), so the permission to reply outlives the request.
  return `    { user: ${quote(user)}, password: ${quote(inUse(password))}, permissions: {
      publish: { allow: ${list(publish)} }
      subscribe: { allow: ${list(subscribe)} }
      allow_responses: { max: 1, expires: "15s" }
    } }`;
}

function list(subjects: readonly string[]): string {
  return `[${subjects.map(quote).join(', ')}]`;
}

/** Always quoted: a bare `$…` would be read as a variable. The server's lexer knows only some of JSON's escapes. */
function quote(text: string): string {
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new RangeError('a NATS configuration value has a control character');
  return JSON.stringify(text);
}
