import type { FastifyRequest } from 'fastify';
import { isSecret } from '../accounts/secret.js';
import type { SignedIn } from '../accounts/sessions.js';
import { Cookies } from './cookies.js';
import type { Web } from './web.js';

const known = new WeakMap<FastifyRequest, Promise<SignedIn | null>>();

/** Who is signed in in the browser that asks; looked up once per request. */
export function signedIn({ sessions, settings }: Web, request: FastifyRequest): Promise<SignedIn | null> {
  const secret = new Cookies(settings.origin).read(request, 'session');
  const found = known.get(request) ?? (isSecret(secret) ? sessions.find(secret) : Promise.resolve(null));
  known.set(request, found);
  return found;
}

/** Makes the browser sign in and then come back to where it wanted to go. */
export class SignInNeeded extends Error {
  override readonly name = 'SignInNeeded';

  constructor(readonly returnPath: string) {
    super('Somebody has to sign in first');
  }
}

/** @throws SignInNeeded which the pages answer with the way to the sign-in page. */
export async function requireSignIn(web: Web, request: FastifyRequest): Promise<SignedIn> {
  const visitor = await signedIn(web, request);
  if (visitor) return visitor;
  // A form that was sent cannot be sent again by a redirect: its page is where to begin anew.
  throw new SignInNeeded(request.method === 'GET' ? request.url : '/');
}

/** The way to the sign-in page and back. */
export function signInPath(returnPath: string): string {
  return returnPath === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams({ return_to: returnPath }).toString()}`;
}
