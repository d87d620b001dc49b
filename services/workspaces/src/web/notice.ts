import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Cookies } from './cookies.js';

/** A sentence for the next page this browser is shown, such as "The key is revoked." */
export function leaveNotice(cookies: Cookies, reply: FastifyReply, sentence: string): void {
  cookies.write(reply, 'notice', Buffer.from(sentence).toString('base64url'), 60);
}

const said = new WeakMap<FastifyRequest, string>();

/** A sentence for the very page that this request is answered with. */
export function sayNow(request: FastifyRequest, sentence: string): void {
  said.set(request, sentence);
}

/** Shown once. */
export function takeNotice(cookies: Cookies, request: FastifyRequest, reply: FastifyReply): string | null {
  const now = said.get(request);
  if (now !== undefined) return now;
  const text = cookies.read(request, 'notice');
  if (text === undefined) return null;
  cookies.clear(reply, 'notice');
  return Buffer.from(text, 'base64url').toString().slice(0, 300);
}
