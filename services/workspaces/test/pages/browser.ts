import { decode } from './html.js';

export interface Page {
  status: number;
  headers: Headers;
  html: string;
  /** The text a person reads: without tags. */
  text: string;
  /** Where the browser goes on by itself: the target of a redirect or a refresh. */
  location: string | null;
}

/** The part of a browser that forms need: keeps cookies and fills in forms as rendered. */
export class Browser {
  readonly cookies = new Map<string, string>();

  constructor(
    private readonly url: string,
    private readonly headers: Record<string, string> = {},
    /** The base URL that answers a path instead, at the same origin. */
    private readonly besides: (path: string) => string | undefined = () => undefined,
  ) {}

  get(path: string): Promise<Page> {
    return this.send(path, {});
  }

  /** Sends the form of a page that posts to `action`, its hidden fields included. */
  async submit(page: Page, action: string, fields: Record<string, string | string[]> = {}): Promise<Page> {
    return await this.post(action, { ...hiddenFields(page, action), ...fields });
  }

  /** Sends the form of a page and disconnects before the answer. */
  async abandon(page: Page, action: string): Promise<void> {
    const closed = new AbortController();
    const sent = this.post(action, hiddenFields(page, action), {}, closed.signal);
    setTimeout(() => closed.abort(), 5);
    await sent.catch(() => {});
  }

  post(
    path: string,
    fields: Record<string, string | string[]>,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<Page> {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) body.append(name, each);
    return this.send(path, {
      method: 'POST',
      body,
      headers: { origin: this.url, ...headers },
      ...(signal && { signal }),
    });
  }

  /** Signs in on the sign-in page. */
  async signIn(email: string, password: string): Promise<Page> {
    return await this.submit(await this.get('/sign-in'), '/sign-in', { email, password });
  }

  private async send(path: string, init: RequestInit): Promise<Page> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...this.headers, ...(cookie && { cookie }), ...(init.headers as Record<string, string>) };
    const response = await fetch((this.besides(path) ?? this.url) + path, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    const html = await response.text();
    const { status, headers: answered } = response;
    const refresh = /<meta http-equiv="refresh" content="0; url=([^"]*)"/.exec(html)?.[1];
    const location = answered.get('location') ?? (refresh === undefined ? null : decode(refresh));
    return { status, headers: answered, html, text: decode(html), location };
  }

  private keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '' || /max-age=0|expires=thu, 01 jan 1970/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** @throws Error if the page has no such form, since a person could not send it. */
function hiddenFields({ html }: Page, action: string): Record<string, string> {
  const forms = [...html.matchAll(/<form[^>]* action="([^"]*)"[^>]*>(.*?)<\/form>/gs)];
  const form = forms.find(([, target = '']) => decode(target).split('?')[0] === action);
  if (!form) throw new Error(`The page has no form for ${action}: ${decode(html)}`);
  const inputs = [...form[2]!.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, decode(value)]));
}
