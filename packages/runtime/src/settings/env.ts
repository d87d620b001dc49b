import type { KeyObject } from 'node:crypto';
import { deploymentName, type DeploymentName } from '../deployment.js';
import {
  cellFrom,
  hostNamesFrom,
  isUrl,
  keyFrom,
  oneOrTwo,
  type OneOrTwo,
  partsOf,
  rangesFrom,
  secretFrom,
  textsByName,
  wholeNumber,
  withAuthority,
  withPassword,
} from './setting-values.js';

const SHARE = /^(?:0(?:\.\d+)?|1(?:\.0+)?)$/;

const MAILBOX = /^(?:[^<>@]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/;

const SECRETS = 'a secret, or two different ones with a comma';
const asIs = (text: string): string | undefined => text || undefined;

/** A configuration error: one line that names each variable and the expected value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads settings from an environment and reports all mistakes together.
 *
 *     const config = readSettings(env, (s) => ({ port: s.port('LISTEN_PORT', 4013) }));
 */
export function readSettings<T>(env: Environment, read: (settings: Settings) => T): T {
  const problems: string[] = [];
  const config = read(new Settings(env, problems));
  if (problems.length > 0) throw new ConfigError(problems.join('; '));
  return config;
}

export class Settings {
  constructor(
    private readonly env: Environment,
    private readonly problems: string[],
  ) {}

  text(name: string, fallback?: string): string {
    return this.read(name, 'some text', (text) => text, fallback);
  }

  port(name: string, fallback?: number): number {
    return this.read(name, 'a port number from 0 to 65535', (text) => wholeNumber(text, 0, 65_535), fallback);
  }

  wholeNumber(name: string, { from, to }: { from: number; to: number }, fallback?: number): number {
    return this.read(name, `a whole number from ${from} to ${to}`, (text) => wholeNumber(text, from, to), fallback);
  }

  /** A part of the whole, from 0 to 1. */
  share(name: string, fallback?: number): number {
    return this.read(name, 'a number from 0 to 1', (text) => (SHARE.test(text) ? Number(text) : undefined), fallback);
  }

  /** A URL of one of the given protocols (`postgres:`), kept as text. */
  url(name: string, protocols: readonly string[], fallback?: string): string {
    const expected = `a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
    return this.read(name, expected, (text) => (isUrl(text, protocols) ? text : undefined), fallback);
  }

  /** `ada@example.com`, or `Ada <ada@example.com>`. */
  mailbox(name: string, fallback?: string): string {
    const expected = 'a mail address such as Payroll <payroll@example.com>';
    return this.read(name, expected, (text) => (MAILBOX.test(text) ? text : undefined), fallback);
  }

  /** The address of Postgres with the role; the password may come from a variable of its own. */
  databaseUrl(password = this.env['DATABASE_PASSWORD']): string {
    const url = withPassword(this.url('DATABASE_URL', ['postgres:', 'postgresql:']), password);
    return withAuthority(url, this.text('DATABASE_CA_FILE', ''));
  }

  /**
   * The servers of a NATS cluster with commas; the password may come from a variable of its own. Protocol and user of the
   * first hold for those that have none: `nats://review@nats-1:4222,nats-2:4222`.
   */
  natsUrl(password = this.env['NATS_PASSWORD']): string {
    const expected = 'a URL starting with nats:// or tls://, or several of one cluster with commas';
    const urls = this.read('NATS_URL', expected, (text) => {
      const [first = '', ...others] = partsOf(text);
      const [start = ''] = /^\w+:\/\/(?:[^@]*@)?/.exec(first) ?? [];
      const parts = [first, ...others.map((other) => (other.includes('://') ? other : start + other))];
      return parts.every((part) => isUrl(part, ['nats:', 'tls:'])) ? parts : undefined;
    });
    // A missing or invalid one is reported together with all the others.
    return (urls ?? []).map((url) => withPassword(url, password)).join(',');
  }

  /** The name of this cell; null outside of cells (ADR 32). */
  cell(): string | null {
    const expected = 'up to 8 lower-case letters and digits, the first a letter, such as eu1';
    return this.read('CELL', expected, cellFrom, '') || null;
  }

  /** The deployment, or its cell, whose credentials and database this process accepts. */
  deploymentName(): DeploymentName {
    // Live by default: a process without this setting refuses the data of a test.
    return deploymentName(this.choice('DEPLOYMENT', ['test', 'live'], 'live'), this.cell());
  }

  choice<const Choice extends string>(name: string, choices: readonly Choice[], fallback?: Choice): Choice {
    const find = (text: string): Choice | undefined => choices.find((choice) => choice === text);
    return this.read(name, `one of ${choices.join(', ')}`, find, fallback);
  }

  /** Addresses and ranges with commas, such as the proxies whose `X-Forwarded-For` is believed; none by default. */
  ranges(name: string): readonly string[] {
    return this.read(name, 'addresses or ranges such as 10.0.0.0/8, with commas', rangesFrom, []);
  }

  /** A 256-bit key written as 64 hex digits. */
  key(name: string): KeyObject {
    return this.read(name, '64 hex digits', secretFrom);
  }

  // While a secret is rotated (docs/operations.md) its setting has two: the first is used, both are accepted.

  /** A secret, or two with a comma; none by default. */
  secrets(name: string): readonly string[] {
    return this.read<readonly string[]>(name, SECRETS, (text) => oneOrTwo(text, asIs), []);
  }

  /** The one in use. */
  secret(name: string): string {
    return this.read(name, SECRETS, (text) => oneOrTwo(text, asIs)?.[0]);
  }

  /** A key of 64 hex digits, or two with a comma. */
  ownKeys(name: string): OneOrTwo<KeyObject> {
    return this.read(name, '64 hex digits, or two different keys with a comma', (text) => oneOrTwo(text, secretFrom));
  }

  /** `a=<64 hex digits>,b=…` with exactly the given names; those in use. */
  keys<const Name extends string>(name: string, names: readonly Name[]): Record<Name, KeyObject> {
    return this.each(name, names, '64 hex digits', (text) => oneOrTwo(text, secretFrom)?.[0]);
  }

  /** `a=<password>,b=…` with exactly the given names; those in use. */
  passwords<const Name extends string>(name: string, names: readonly Name[]): Record<Name, string> {
    return this.each(name, names, 'password', (text) => oneOrTwo(text, asIs)?.[0]);
  }

  /** `a=<secret>,b=…` with exactly the given names; all that are accepted. */
  secretLists<const Name extends string>(name: string, names: readonly Name[]): Record<Name, OneOrTwo<string>> {
    return this.each(name, names, 'secret', (text) => oneOrTwo(text, asIs));
  }

  /** 256-bit keys with commas, each written as 64 hex digits; at least one. */
  keyRing(name: string): readonly Buffer[] {
    return this.read(name, '64 hex digits, or several such keys with commas', (text) => {
      const keys = text.split(',').map((each) => keyFrom(each.trim()));
      return keys.every((key) => key !== undefined) ? keys : undefined;
    });
  }

  /** Texts with commas; none by default. */
  list(name: string): readonly string[] {
    return this.read(name, 'texts with commas', partsOf, []);
  }

  /** Host names as a `Host` header has them, without port; none by default. */
  hostNames(name: string): readonly string[] {
    return this.read(name, 'host names without scheme or port, with commas', hostNamesFrom, []);
  }

  private each<const Name extends string, T>(
    name: string,
    names: readonly Name[],
    what: string,
    parse: (text: string) => T | undefined,
  ): Record<Name, T> {
    return this.read(name, names.map((each) => `${each}=<${what}>`).join(','), (text) => {
      const given = textsByName(text, names);
      const values = names.flatMap((each) => {
        const value = parse(given?.get(each) ?? '');
        return value === undefined ? [] : [[each, value] as const];
      });
      return values.length === names.length ? (Object.fromEntries(values) as Record<Name, T>) : undefined;
    });
  }

  /** The value is never repeated: it may be a secret. */
  private read<T>(name: string, expected: string, parse: (text: string) => T | undefined, fallback?: T): T {
    const text = this.env[name];
    if (text === undefined || text === '') {
      if (fallback === undefined) this.problems.push(`${name} is missing: expected ${expected}`);
      return fallback as T;
    }
    const value = parse(text);
    if (value === undefined) this.problems.push(`${name} is not valid: expected ${expected}`);
    return value as T;
  }
}
