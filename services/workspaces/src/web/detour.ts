import type { FastifyRequest } from 'fastify';
import { type Draft, SECRET_FIELDS } from '../domain/account.js';
import { TOKEN_FIELD } from './form-guard.js';

/** Longer than any address of ours, authorization requests included. */
const MAX_LENGTH = 4_000;

/** Secrets are asked for again, and each form that is shown brings a new token and operation id. */
const NOT_KEPT: ReadonlySet<string> = new Set([...SECRET_FIELDS, TOKEN_FIELD, 'operation_id']);

/** The visitor has to sign in or to give their password first, and then comes back. Nothing has been done yet. */
export class Detour extends Error {
  override readonly name = 'Detour';

  constructor(
    readonly to: 'sign-in' | 'password',
    readonly returnPath: string,
  ) {
    super(`The visitor has to go to ${to} first`);
  }
}

export function signInPath(returnPath: string): string {
  return returnPath === '/' ? '/sign-in' : withReturn('/sign-in', returnPath);
}

export function confirmPath(returnPath: string): string {
  return withReturn('/sign-in/again', returnPath);
}

function withReturn(path: string, returnPath: string): string {
  return `${path}?${new URLSearchParams({ return_to: returnPath }).toString()}`;
}

/** A path of our own; null for what browsers may read as another site: `//host`, `/\host`, schemes, control characters. */
export function readReturnPath(text: unknown, origin: string): string | null {
  if (typeof text !== 'string' || text.length > MAX_LENGTH || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text)) return null;
  if (text.includes('\\') || !URL.canParse(text, origin)) return null;
  const url = new URL(text, origin);
  return url.origin === origin && !url.pathname.startsWith('//') ? url.pathname + url.search : null;
}

/** The page on which a form stands: where it is sent to, or the nearest page above that. */
export function pageOf({ method, url, routeOptions, server }: FastifyRequest): string {
  if (method === 'GET') return url;
  let [route = '', path = ''] = [routeOptions.url, url.split('?')[0]];
  while (route !== '' && !server.hasRoute({ method: 'GET', url: route })) {
    [route, path] = [above(route), above(path)];
  }
  return path === '' ? '/' : path;
}

function above(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** The form of a request that was not carried out, for its page to be filled in with again. */
export function draftOf(request: FastifyRequest): Draft {
  const sent = Object.entries((request.body ?? {}) as Draft['fields']);
  return { path: pageOf(request), fields: Object.fromEntries(sent.filter(([name]) => !NOT_KEPT.has(name))) };
}

/** A form that waited in the sign-in page, or null: it comes from the browser, whatever it says. */
export function readDraft(text: string, origin: string): Draft | null {
  const read = parse(text) as { path?: unknown; fields?: unknown } | null;
  const path = readReturnPath(read?.path, origin);
  if (path === null || typeof read?.fields !== 'object' || read.fields === null) return null;
  const isText = (value: unknown): boolean => typeof value === 'string';
  const fields = Object.entries(read.fields).filter(
    ([, value]) => isText(value) || (Array.isArray(value) && value.every(isText)),
  );
  return { path, fields: Object.fromEntries(fields) as Draft['fields'] };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
