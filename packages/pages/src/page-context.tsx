import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { parseJson } from '@payroll/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { readReturnPath } from './sign-in-redirect.js';
import { formToken, requireFormToken } from './form-guard.js';
import { FormContext } from './forms.js';
import { type Crumb, Layout, type Notice, type SignedInUser, type WorkspaceNav } from './layout.js';
import { PERSON_FIELD, type SavedForm, textOf, type Problem, type SentForm } from './sent-form.js';
import { isSecret, newSecret } from './secret.js';
import { contentPolicy } from './security-headers.js';

export interface PageView {
  /** The page's first heading too. */
  title: string;
  lead?: ComponentChildren;
  /** The pages between the section and this page. */
  crumbs?: readonly Crumb[];
  body: VNode;
  /** 422 where there are problems and 200 elsewhere, if it does not say. */
  status?: number;
  /** The problems of the submitted form, listed above it and linked to its fields. */
  problems?: readonly Problem[];
  /** Where the browser goes on by itself. Unlike a redirect after a form, `form-action` does not apply to it. */
  refreshTo?: string;
}

/** A file that the browser keeps, written as fast as it is taken. */
export interface FileResponse {
  /** Its name: letters, digits, dots and hyphens. */
  download: string;
  type: string;
  content: Readable;
}

/** A page, a file, or the way to another page with a sentence for it, such as "The key is revoked." */
export type PageResponse = PageView | FileResponse | ({ to: string } & Notice);

/** A browser's request and its response. Each process provides the signed-in person. */
export abstract class PageContext implements SentForm {
  readonly cookies: Cookies;
  /** The visited workspace, shown on all its pages. */
  place: WorkspaceNav | null = null;
  /** The fields typed into this page before its session ended. */
  protected kept: SavedForm['fields'] | null = null;
  private freshSecret: string | undefined;
  private notice: Notice | undefined;

  constructor(
    readonly request: FastifyRequest,
    readonly reply: FastifyReply,
    /** Where browsers find the pages, `https://accounts.example.com`. */
    private readonly origin: string,
  ) {
    this.cookies = new Cookies(request, reply, origin.startsWith('https:'));
  }

  /** Whether pages load the script of the islands. Pages that show a secret or take a password never do (ADR 21). */
  protected readonly hasIslands: boolean = false;

  /** The signed-in person in the header of each page; null if there is none. */
  protected abstract visitorShown(): Promise<SignedInUser | null>;

  /** The workspace and its navigation, as every page shows them. */
  protected placeShown(): Promise<WorkspaceNav | null> {
    return Promise.resolve(this.place);
  }

  get isForm(): boolean {
    return this.request.method !== 'GET' && this.request.method !== 'HEAD';
  }

  get body(): unknown {
    return this.kept ?? this.request.body;
  }

  param(name: string): string {
    return (this.request.params as Readonly<Record<string, string>>)[name] ?? '';
  }

  /** The first value of a repeated parameter. */
  query(name: string): string | undefined {
    const { [name]: asked } = this.request.query as Readonly<Record<string, string | string[] | undefined>>;
    return Array.isArray(asked) ? asked[0] : asked;
  }

  /** The path to continue at after the password; always one of our own, to prevent an open redirect. */
  get returnPath(): string {
    const asked = this.isForm ? textOf(this, 'return_to') : this.query('return_to');
    return readReturnPath(asked, this.origin) ?? '/';
  }

  /** @throws StaleFormError, DomainError `INVALID_REQUEST` for a form that was not rendered by us for this browser. */
  requireOwnForm(): void {
    if (this.isForm) requireFormToken(this.request, this.cookies.read('session'), this.origin);
  }

  async answer(answer: PageResponse): Promise<FastifyReply> {
    if ('title' in answer) return await this.send(answer);
    if ('download' in answer) return this.sendFile(answer);
    const { to, ...notice } = answer;
    if (notice.notice !== undefined) {
      this.cookies.write('notice', Buffer.from(JSON.stringify(notice)).toString('base64url'), 60);
    }
    return await this.reply.redirect(to, 303);
  }

  private sendFile({ download, type, content }: FileResponse): FastifyReply {
    const disposition = `attachment; filename="${download}"`;
    return this.reply.type(type).header('Content-Disposition', disposition).send(content);
  }

  /** Fills the form of this page in with what the same person typed before; `body` then returns it. */
  protected async restore(fields: SavedForm['fields'] | null): Promise<void> {
    if (fields === null || fields[PERSON_FIELD] !== markOf(await this.visitorShown())) return;
    this.kept = fields;
    this.notice = { notice: 'Nothing has been done yet. Check it, then send it.' };
  }

  private async send(page: PageView): Promise<FastifyReply> {
    const { title, lead, crumbs = [], body, refreshTo, problems = [] } = page;
    const { status = problems.length > 0 ? 422 : 200 } = page;
    // Where the read of the person is the one that failed, the error page is shown without their name.
    const named = status < 500 ? this.visitorShown() : this.visitorShown().catch(() => null);
    const [visitor, place] = await Promise.all([named, this.placeShown()]);
    const where = place && { ...place, crumbs: [...place.crumbs, ...crumbs] };
    const shown = { title, lead, visitor, problems, refreshTo, place: where, notice: this.takeNotice() };
    const token = formToken(this.browserSecret());
    const form = { token, person: markOf(visitor), path: this.request.url.split('?')[0]!, problems };
    const render = (hasIslands: boolean): { html: string; hasSecret: boolean } => {
      const secrets = { isShown: false };
      const html = renderToString(
        <FormContext.Provider value={{ ...form, secrets }}>
          <Layout {...shown} hasIslands={hasIslands}>
            {body}
          </Layout>
        </FormContext.Provider>,
      );
      return { html, hasSecret: secrets.isShown };
    };
    // Known once the page is rendered.
    const scripted = this.hasIslands ? render(true) : null;
    const hasIslands = scripted !== null && !scripted.hasSecret;
    const { html } = hasIslands ? scripted : render(false);
    return this.reply
      .code(status)
      .type('text/html; charset=utf-8')
      .header('Content-Security-Policy', contentPolicy(hasIslands))
      .send(`<!doctype html>${html}`);
  }

  /** The secret that binds forms to this browser. Without a session it is a new one that is not a sign-in. */
  private browserSecret(): string {
    const known = this.cookies.read('session');
    if (isSecret(known)) return known;
    this.freshSecret ??= newSecret();
    this.cookies.write('session', this.freshSecret);
    return this.freshSecret;
  }

  /** Shown once. */
  private takeNotice(): Notice | null {
    if (this.notice !== undefined) return this.notice;
    const text = this.cookies.read('notice');
    if (text === undefined) return null;
    this.cookies.clear('notice');
    return readNotice(Buffer.from(text, 'base64url').toString());
  }
}

function markOf(visitor: SignedInUser | null): string {
  return visitor === null ? '' : hash('sha256', visitor.key, 'base64url');
}

/** As the browser returns it, so not trusted. */
function readNotice(text: string): Notice | null {
  const { notice, isFailure } = Object(parseJson(text)) as Record<string, unknown>;
  if (typeof notice !== 'string') return null;
  return { notice: notice.slice(0, 300), ...(isFailure === true && { isFailure }) };
}

type CookieName = 'session' | 'device' | 'notice';

/** Over TLS `Secure` and `__Host-`, so that no neighbour domain sets them; over plain HTTP browsers refuse both. */
class Cookies {
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
