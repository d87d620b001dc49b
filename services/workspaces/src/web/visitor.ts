import type { FastifyRequest } from 'fastify';
import { isSecret } from '../accounts/secret.js';
import type { SignedIn } from '../accounts/sessions.js';
import { Cookies } from './cookies.js';
import { pageOf } from './form-page.js';
import type { Web } from './web.js';

const known = new WeakMap<FastifyRequest, Promise<SignedIn | null>>();

/** Who is signed in in the browser that asks; looked up once per request. */
export function signedIn({ sessions, settings }: Web, request: FastifyRequest): Promise<SignedIn | null> {
  const secret = new Cookies(settings.origin).read(request, 'session');
  const found = known.get(request) ?? (isSecret(secret) ? sessions.find(secret) : Promise.resolve(null));
  known.set(request, found);
  return found;
}

/** Somebody has to sign in first, or to give their password again. Nothing has been done; the page comes back after that. */
export class Detour extends Error {
  override readonly name = 'Detour';

  constructor(
    readonly to: 'sign-in' | 'password',
    readonly returnPath: string,
  ) {
    super(`Somebody has to take a detour by ${to} first`);
  }
}

/** @throws Detour which the pages answer with the way to the sign-in page. */
export async function requireSignIn(web: Web, request: FastifyRequest): Promise<SignedIn> {
  const visitor = await signedIn(web, request);
  if (visitor) return visitor;
  throw new Detour('sign-in', pageOf(request));
}

/** For pages whose form needs a recent password: asked for before it is filled in, and not after. @throws Detour */
export function requireRecent({ isRecent }: SignedIn, request: FastifyRequest): void {
  if (!isRecent) throw new Detour('password', pageOf(request));
}

/** The way to the sign-in page and back. */
export function signInPath(returnPath: string): string {
  return returnPath === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams({ return_to: returnPath }).toString()}`;
}

/** The way to the page that asks for the password again, and back. */
export function confirmPath(returnPath: string): string {
  return `/sign-in/again?${new URLSearchParams({ return_to: returnPath }).toString()}`;
}
