import type { IncomingMessage } from 'node:http';
import { signInPath } from '../web/detour.js';

/** Fresh enough for whoever asks for somebody who has just signed in: they do it on the way here. */
const JUST_NOW_S = 60;

const waysIn = new WeakMap<IncomingMessage, string>();

/** Notes that nobody is signed in where an authorization request comes from; `url` is the request's, as it was sent. */
export function noteStranger(raw: IncomingMessage, url: string): void {
  const back = new URL(url, 'http://here');
  // Both ask for a new sign-in, which this is.
  const prompts = back.searchParams.get('prompt')?.split(' ') ?? [];
  const others = prompts.filter((prompt) => prompt !== 'login');
  if (others.length < prompts.length) back.searchParams.set('prompt', others.join(' ') || 'consent');
  const maxAge = back.searchParams.get('max_age');
  if (maxAge !== null && Number(maxAge) < JUST_NOW_S) back.searchParams.set('max_age', String(JUST_NOW_S));
  waysIn.set(raw, signInPath(back.pathname + back.search));
}

/** Where a stranger signs in and comes back with the same request; null for who is signed in. */
export function wayIn(raw: IncomingMessage): string | null {
  return waysIn.get(raw) ?? null;
}
