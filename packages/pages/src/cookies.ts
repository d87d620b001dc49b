import type { FastifyReply, FastifyRequest } from 'fastify';

type CookieName = 'session' | 'device' | 'notice';

/** Over TLS `Secure` and `__Host-`, so that no neighbour domain sets them; over plain HTTP browsers refuse both. */
export class Cookies {
  private readonly options;

  constructor(
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
    private readonly isSecure: boolean,
  ) {
    this.options = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure } as const;
  }

  read(name: CookieName): string | undefined {
    return this.request.cookies[this.nameOf(name)];
  }

  /** Without `maxAgeSeconds` the cookie lasts until the browser closes. */
  write(name: CookieName, value: string, maxAgeSeconds?: number): void {
    const age = maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds };
    this.reply.setCookie(this.nameOf(name), value, { ...this.options, ...age });
  }

  clear(name: CookieName): void {
    this.reply.clearCookie(this.nameOf(name), this.options);
  }

  private nameOf(name: CookieName): string {
    return this.isSecure ? `__Host-${name}` : name;
  }
}
