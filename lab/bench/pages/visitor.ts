interface Page {
  html: string;
  ms: number;
}

type Field = [name: string, value: string];

/** A signed-in person, as a browser without script, styles and pictures. */
export class Visitor {
  private readonly cookies = new Map<string, string>();

  private constructor(readonly origin: string) {}

  static async signIn(origin: string, person: { email: string; password: string }): Promise<Visitor> {
    const visitor = new Visitor(origin);
    await visitor.send(await visitor.get('/sign-in'), '/sign-in', [
      ['email', person.email],
      ['password', person.password],
    ]);
    return visitor;
  }

  get headers(): { cookie: string } {
    return { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  }

  async get(path: string): Promise<Page> {
    return await this.ask(path, {});
  }

  /** Sends a form of a page with its hidden fields. */
  async send(page: Page, action: string, fields: readonly Field[] = []): Promise<Page> {
    const form = page.html.split(/(?=<form )/).find((part) => part.includes(`action="${action}"`)) ?? '';
    const inForm = [...form.split('</form>')[0]!.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    const body = new URLSearchParams([...inForm.map(([, name, value]): Field => [name!, value!]), ...fields]);
    return await this.ask(action, { method: 'POST', body });
  }

  private async ask(path: string, request: RequestInit): Promise<Page> {
    const sentAt = performance.now();
    const headers = { ...this.headers, origin: this.origin };
    const answer = await fetch(this.origin + path, { ...request, headers, redirect: 'manual' });
    const html = await answer.text();
    const ms = performance.now() - sentAt;
    if (answer.status >= 400) throw new Error(`${path} answered ${answer.status}: ${html.slice(0, 200)}`);
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.cookies.set(name, value);
    }
    return { html, ms };
  }
}
