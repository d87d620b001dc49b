import { Secret, TOTP } from 'otpauth';
import { request } from 'undici';

/** A person at the pages: keeps cookies, and sends forms as they are rendered. Redirects are followed. */
export interface ShownPage {
  /** The path that the address bar shows. */
  path: string;
  status: number;
  html: string;
}

export class Person {
  private readonly cookies = new Map<string, string>();

  /** @param origin the public one, where `url` is another address of the same pages */
  constructor(
    readonly url: string,
    private readonly origin = new URL(url).origin,
  ) {}

  /** The header with which other requests are this person's. */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** The same browser at other pages, as if these had set its cookies. */
  at(url: string): Person {
    const there = new Person(url);
    for (const [name, value] of this.cookies) there.cookies.set(name, value);
    return there;
  }

  async signIn(email: string, password: string): Promise<ShownPage> {
    return await this.send(await this.open('/sign-in'), '/sign-in', { email, password });
  }

  open(path: string): Promise<ShownPage> {
    return this.request(path);
  }

  /** @throws Error if the page has no such form, because a person could not send it */
  async send(
    { path, html }: ShownPage,
    action: string,
    fields: Readonly<Record<string, string | readonly string[]>>,
  ): Promise<ShownPage> {
    const forms = [...html.matchAll(/<form[^>]* action="([^"]*)"[^>]*>(.*?)<\/form>/gs)];
    const form = forms.find(([, target = '']) => decode(target).split('?')[0] === action);
    if (!form) throw new Error(`${path} has no form for ${action}`);
    const body = new URLSearchParams();
    for (const [, name = '', value = ''] of form[2]!.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)) {
      body.append(name, decode(value));
    }
    for (const [name, values] of Object.entries(fields)) {
      body.delete(name);
      for (const value of [values].flat()) body.append(name, value);
    }
    return await this.request(action, { origin: this.origin }, body.toString());
  }

  private async request(path: string, more: Record<string, string> = {}, body?: string): Promise<ShownPage> {
    const { cookie } = this;
    const headers = {
      // Pages are served at their public address only. `fetch` would send that of `url`.
      host: new URL(this.origin).host,
      ...more,
      ...(cookie && { cookie }),
      ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const method = body === undefined ? 'GET' : 'POST';
    const answer = await request(new URL(path, this.url), { method, headers, body: body ?? null });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.cookies.set(name, value);
    }
    const html = await answer.body.text();
    const { location } = answer.headers;
    if (typeof location === 'string') return await this.open(location);
    return { path, status: answer.statusCode, html };
  }
}

/** The code that the person's authenticator app shows for this key. @param at milliseconds since 1970; now */
export function totpCode(key: string, at = Date.now()): string {
  return TOTP.generate({ secret: Secret.fromBase32(key), timestamp: at });
}

const MARKS: Readonly<Record<string, string>> = { amp: '&', quot: '"', '#39': "'", lt: '<', gt: '>' };

function decode(text: string): string {
  return text.replaceAll(/&(amp|quot|#39|lt|gt);/g, (_, mark: string) => MARKS[mark] ?? '');
}
