import { findProgram, thisHost } from '#nats-server';

export function findHaproxy(): string | undefined {
  const host = thisHost();
  // Debian has it where only root looks.
  return findProgram('haproxy', { ...host, path: `${host.path}:/usr/sbin` });
}
