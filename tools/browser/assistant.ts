import { hash, randomBytes } from 'node:crypto';

/** Registers an assistant and begins its sign-in: `url` is opened in a browser, `exchange` returns the access token. */
export async function beginSignIn(authUrl: string, redirectUri: string, registeredUri = redirectUri) {
  const registered = await fetch(`${authUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'An assistant', redirect_uris: [registeredUri] }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const code_verifier = randomBytes(32).toString('base64url');
  const code_challenge = hash('sha256', code_verifier, 'base64url');
  const parameters = { client_id, redirect_uri: redirectUri, response_type: 'code', state: 'state' };
  const query = new URLSearchParams({ ...parameters, code_challenge, code_challenge_method: 'S256' });
  return {
    url: `${authUrl}/oauth/authorize?${query.toString()}`,
    exchange: async (code: string): Promise<string> => {
      const grant = { grant_type: 'authorization_code', code, client_id, redirect_uri: redirectUri, code_verifier };
      const answer = await fetch(`${authUrl}/oauth/token`, { method: 'POST', body: new URLSearchParams(grant) });
      return ((await answer.json()) as { access_token: string }).access_token;
    },
  };
}
