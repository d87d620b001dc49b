import { createSecretKey, type KeyObject } from 'node:crypto';
import { BlockList, isIP } from 'node:net';

// What the text of a setting says; undefined where it does not fit.

/** A password in the URL wins over the variable. */
export function withPassword(text: string, password: string | undefined): string {
  // A missing or invalid URL is reported together with all the others.
  if (!password || !URL.canParse(text)) return text;
  const url = new URL(text);
  if (url.username === '' || url.password !== '') return text;
  url.password = encodeURIComponent(password);
  return url.href;
}

/** TLS, with a certificate of these authorities. */
export function withAuthority(text: string, caFile: string): string {
  if (caFile === '' || !URL.canParse(text)) return text;
  const url = new URL(text);
  url.searchParams.set('sslmode', 'verify-full');
  url.searchParams.set('sslrootcert', caFile);
  return url.href;
}

export function partsOf(text: string): string[] {
  return text.split(',').flatMap((part) => part.trim() || []);
}

/** One value, or two different ones with a comma. */
export type OneOrTwo<T> = readonly [T, ...T[]];

export function oneOrTwo<T>(text: string, parse: (part: string) => T | undefined): OneOrTwo<T> | undefined {
  const parts = text.split(',');
  const [first, second] = parts.flatMap((part) => parse(part) ?? []);
  if (parts.length === 1) return first === undefined ? undefined : [first];
  const areTwo = parts.length === 2 && parts[0] !== parts[1];
  return areTwo && first !== undefined && second !== undefined ? [first, second] : undefined;
}

/** The text of each name in `a=x,b=y,z`: that of b is `y,z`. Undefined where a name is given twice. */
export function textsByName(text: string, names: readonly string[]): ReadonlyMap<string, string> | undefined {
  const parts = text.split(new RegExp(`,\\s*(?=(?:${names.join('|')})=)`));
  const found = new Map(parts.map((part) => part.trim().split(/=(.*)/s, 2) as [string, string]));
  return found.size === parts.length ? found : undefined;
}

export function secretFrom(text: string): KeyObject | undefined {
  const bytes = keyFrom(text);
  return bytes && createSecretKey(bytes);
}

export function keyFrom(text: string): Buffer | undefined {
  return /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : undefined;
}

/** Shorter than any other part of an API key, so that none of them is taken for it. */
export function cellFrom(text: string): string | undefined {
  return /^[a-z][0-9a-z]{0,7}$/.test(text) ? text : undefined;
}

export function wholeNumber(text: string, min: number, max: number): number | undefined {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}

export function isUrl(text: string, protocols: readonly string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol);
}

export function hostNamesFrom(text: string): string[] | undefined {
  const names = partsOf(text).map((part) => part.toLowerCase());
  return names.every((name) => URL.parse(`http://${name}`)?.hostname === name) ? names : undefined;
}

export function rangesFrom(text: string): string[] | undefined {
  const ranges = partsOf(text);
  return ranges.every(isRange) ? ranges : undefined;
}

function isRange(text: string): boolean {
  const [address = '', prefix = '0', ...rest] = text.split('/');
  if (isIP(address) === 0 || rest.length > 0 || !/^\d{1,3}$/.test(prefix)) return false;
  try {
    new BlockList().addSubnet(address, Number(prefix), isIP(address) === 6 ? 'ipv6' : 'ipv4');
    return true;
  } catch {
    return false;
  }
}
