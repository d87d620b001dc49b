import type { FastifyRequest } from 'fastify';

/** Longer than any of our addresses, including authorization requests. */
const MAX_LENGTH = 4_000;

/** The visitor must sign in or enter their password first, and then returns. Nothing has been done yet. */
export class SignInRedirect extends Error {
  override readonly name = 'SignInRedirect';

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

export function secondFactorPath(returnPath: string): string {
  return withReturn('/account/second-factor', returnPath);
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
export function formPagePath({ method, url, routeOptions, server }: FastifyRequest): string {
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
