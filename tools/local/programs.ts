import { findProgram, thisHost } from '#nats-server';

/** A program of this machine. Debian installs some in a folder of root's PATH only. */
export function findOnPath(name: string): string | undefined {
  const host = thisHost();
  return findProgram(name, { ...host, path: `${host.path}:/usr/sbin` });
}
