import { findProgram, thisHost } from '#nats-server';

export function findHaproxy(): string | undefined {
  const host = thisHost();
  // Debian installs it in a folder of root's PATH only.
  return findProgram('haproxy', { ...host, path: `${host.path}:/usr/sbin` });
}
