import { createHash, randomBytes } from 'node:crypto';
import type { Browser } from '../pages/browser.js';
import { decide } from './consenting.js';
import { MCP_URL } from './scene.js';

export const CALLBACK = 'https://client.example/callback';

export interface Tokens {
  access_token: string;
  refresh_token: string;
  id_token?: string;
  scope: string;
}

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** A client that does exactly what a test says, right or wrong. */
export class Client {
  readonly verifier = randomBytes(32).toString('base64url');

  private constructor(
    readonly issuer: string,
    readonly id: string,
    readonly redirectUri: string,
  ) {}

  /** A client described by the metadata document at its id. */
  static at(issuer: string, id: string): Client {
    return new Client(issuer, id, CALLBACK);
  }

  static async register(issuer: string, metadata: object = {}): Promise<Client> {
    const { status, body } = await registration(issuer, {
      client_name: 'Assistant',
      redirect_uris: [CALLBACK],
      ...metadata,
    });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return new Client(issuer, String(body['client_id']), (body['redirect_uris'] as string[])[0]!);
  }

  /** The authorization URL; `undefined` leaves a parameter out. */
  request(change: Record<string, string | undefined> = {}): URL {
    const parameters = {
      response_type: 'code',
      client_id: this.id,
      redirect_uri: this.redirectUri,
      resource: MCP_URL,
      scope: 'openid profile email offline_access',
      state: 'state',
      code_challenge_method: 'S256',
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      ...change,
    };
    const url = new URL('/oauth/authorize', this.issuer);
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
    return url;
  }

  async code(browser: Browser, change: Record<string, string | undefined> = {}): Promise<string> {
    const callback = await decide(browser, this.request(change), 'approve');
    const code = callback.searchParams.get('code');
    if (code === null) throw new Error(String(callback));
    return code;
  }

  exchange(code: string, change: Record<string, string> = {}): Promise<Answer> {
    const { redirectUri: redirect_uri, verifier: code_verifier } = this;
    return this.token({ grant_type: 'authorization_code', code, redirect_uri, code_verifier, ...change });
  }

  refresh(refresh_token: string, change: Record<string, string> = {}): Promise<Answer> {
    return this.token({ grant_type: 'refresh_token', refresh_token, ...change });
  }

  /** Signs in with a person who consents. */
  async signIn(browser: Browser, change: Record<string, string | undefined> = {}): Promise<Tokens> {
    return tokensOf(await this.exchange(await this.code(browser, change)));
  }

  token(parameters: Record<string, string>): Promise<Answer> {
    return post(`${this.issuer}/oauth/token`, { client_id: this.id, ...parameters });
  }

  revoke(token: string): Promise<Answer> {
    return post(`${this.issuer}/oauth/revoke`, { client_id: this.id, token });
  }
}

export function tokensOf({ status, body }: Answer): Tokens {
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body as unknown as Tokens;
}

export async function registration(issuer: string, metadata: object, headers: object = {}): Promise<Answer> {
  const response = await fetch(`${issuer}/oauth/register`, {
    method: 'POST',
    body: JSON.stringify(metadata),
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function post(url: string, parameters: Record<string, string>): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(parameters) });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
}
