import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

type CookieName = 'session' | 'device' | 'notice';

/**
 * Cookies of the pages. Over TLS they are `Secure` and carry the prefix `__Host-`, which keeps neighbours under the same
 * domain from setting them; over plain HTTP, on the machine of a developer, browsers would refuse both.
 */
export class Cookies {
  private readonly isSecure: boolean;

  constructor(origin: string) {
    this.isSecure = origin.startsWith('https:');
  }

  read(request: FastifyRequest, name: CookieName): string | undefined {
    return request.cookies[this.nameOf(name)];
  }

  /** Until the browser closes, unless it is told how long. */
  write(reply: FastifyReply, name: CookieName, value: string, maxAgeSeconds?: number): void {
    const age = maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds };
    reply.setCookie(this.nameOf(name), value, { ...this.options, ...age });
  }

  clear(reply: FastifyReply, name: CookieName): void {
    reply.clearCookie(this.nameOf(name), this.options);
  }

  private get options(): CookieSerializeOptions {
    return { path: '/', httpOnly: true, sameSite: 'lax', secure: this.isSecure };
  }

  private nameOf(name: CookieName): string {
    return this.isSecure ? `__Host-${name}` : name;
  }
}
