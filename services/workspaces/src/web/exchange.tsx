import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { beginSession, DEVICE_DAYS, type PasswordAttempt, type Recognized } from '../accounts/sign-in.js';
import { isSecret, newSecret } from '../accounts/secret.js';
import type { SignedIn } from '../accounts/sessions.js';
import type { Draft } from '../domain/account.js';
import { Cookies } from './cookies.js';
import { Detour, pageOf, readReturnPath } from './detour.js';
import { formToken, guardForm } from './form-guard.js';
import { FormContext } from './forms.js';
import { Layout, type Place } from './layout.js';
import { contentPolicy } from './security-headers.js';
import { textOf, type Problem, type SentForm } from './sent-form.js';
import type { Web } from './web.js';

export interface Page {
  /** The page's first heading too. */
  title: string;
  lead?: ComponentChildren;
  body: VNode;
  /** 422 where there are problems and 200 elsewhere, if it does not say. */
  status?: number;
  /** What is wrong with the form that was sent; listed above it, linked to its fields. */
  problems?: readonly Problem[];
  /** Origins beside our own that answers to its forms may lead to, as OAuth's consent leads to the client. */
  formTargets?: readonly string[];
}

/** A page, or the way to another one with a sentence for it, such as "The key is revoked." */
export type Answer = Page | { to: string; notice?: string };

const exchanges = new WeakMap<FastifyRequest, Exchange>();

/** A request of a browser and its answer. */
export class Exchange implements SentForm {
  readonly cookies: Cookies;
  /** Of the workspace that is visited: all its pages show it. */
  place: Place | null = null;
  private visitor: Promise<SignedIn | null> | undefined;
  private freshSecret: string | undefined;
  private notice: string | undefined;

  private constructor(
    readonly web: Web,
    readonly request: FastifyRequest,
    readonly reply: FastifyReply,
  ) {
    this.cookies = new Cookies(request, reply, web.settings.origin.startsWith('https:'));
  }

  static of(web: Web, request: FastifyRequest, reply: FastifyReply): Exchange {
    const exchange = exchanges.get(request) ?? new Exchange(web, request, reply);
    exchanges.set(request, exchange);
    return exchange;
  }

  get isForm(): boolean {
    return this.request.method !== 'GET' && this.request.method !== 'HEAD';
  }

  get body(): unknown {
    return this.request.body;
  }

  param(name: string): string {
    return (this.request.params as Readonly<Record<string, string>>)[name] ?? '';
  }

  query(name: string): string | undefined {
    return (this.request.query as Readonly<Record<string, string>>)[name];
  }

  /** Where whoever gives a password here wants to go on: a path of our own. */
  get returnPath(): string {
    const asked = this.isForm ? textOf(this, 'return_to') : this.query('return_to');
    return readReturnPath(asked, this.web.settings.origin) ?? '/';
  }

  /** @throws FormTooOld, DomainError `INVALID_REQUEST` for a form that no page of ours sent from this browser. */
  requireOwnForm(): void {
    if (this.isForm) guardForm(this.request, this.cookies.read('session'), this.web.settings.origin);
  }

  /** Who is signed in in this browser; looked up once. */
  signedIn(): Promise<SignedIn | null> {
    const secret = this.cookies.read('session');
    this.visitor ??= isSecret(secret) ? this.web.sessions.find(secret) : Promise.resolve(null);
    return this.visitor;
  }

  /** @throws Detour by the sign-in page */
  async requireSignIn(): Promise<SignedIn> {
    const visitor = await this.signedIn();
    if (visitor) return visitor;
    throw new Detour('sign-in', pageOf(this.request));
  }

  /** For a form that needs a recent password: asked for before it is filled in, and not after. @throws Detour */
  async requireRecent(): Promise<void> {
    const { isRecent } = await this.requireSignIn();
    if (!isRecent && !this.isForm) throw new Detour('password', pageOf(this.request));
  }

  /** The form that was sent; or what was typed into this page before a detour, which is told once; or null. */
  async filledIn(): Promise<SentForm | null> {
    if (this.isForm) return this;
    const visitor = await this.signedIn();
    const fields = visitor && (await this.web.sessions.takeDraft(visitor, this.request.url));
    if (!fields) return null;
    this.notice = 'Nothing has been done yet. Check it, then send it.';
    return { body: fields };
  }

  attempt(email: string, password: string): PasswordAttempt {
    const device = this.cookies.read('device');
    return { email, password, address: this.request.ip, device: isSecret(device) ? device : null };
  }

  get userAgent(): string {
    return this.request.headers['user-agent'] ?? '';
  }

  async signIn(recognized: Recognized, draft: Draft | null = null): Promise<void> {
    const { em, sessions } = this.web;
    const browser = { userAgent: this.userAgent, draft };
    const { session, device } = await beginSession(em, sessions, recognized, browser);
    this.cookies.write('session', session);
    this.cookies.write('device', device, DEVICE_DAYS * 86_400);
  }

  async answer(answer: Answer): Promise<FastifyReply> {
    if ('title' in answer) return await this.send(answer);
    const { to, notice } = answer;
    if (notice !== undefined) this.cookies.write('notice', Buffer.from(notice).toString('base64url'), 60);
    return await this.reply.redirect(to, 303);
  }

  private async send(page: Page): Promise<FastifyReply> {
    const { title, lead, body, formTargets, problems = [], status = problems.length > 0 ? 422 : 200 } = page;
    const account = (await this.signedIn())?.account ?? null;
    const form = { token: formToken(this.browserSecret()), path: this.request.url.split('?')[0]!, problems };
    const html = renderToString(
      <FormContext.Provider value={form}>
        <Layout {...{ title, lead, account, problems }} place={this.place} notice={this.takeNotice()}>
          {body}
        </Layout>
      </FormContext.Provider>,
    );
    return this.reply
      .code(status)
      .type('text/html; charset=utf-8')
      .header('Content-Security-Policy', contentPolicy(formTargets))
      .send(`<!doctype html>${html}`);
  }

  /** What the forms of this browser are known by; one without a session gets a secret that signs nobody in. */
  private browserSecret(): string {
    const known = this.cookies.read('session');
    if (isSecret(known)) return known;
    this.freshSecret ??= newSecret();
    this.cookies.write('session', this.freshSecret);
    return this.freshSecret;
  }

  /** Shown once. */
  private takeNotice(): string | null {
    if (this.notice !== undefined) return this.notice;
    const text = this.cookies.read('notice');
    if (text === undefined) return null;
    this.cookies.clear('notice');
    return Buffer.from(text, 'base64url').toString().slice(0, 300);
  }
}
