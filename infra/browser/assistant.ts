import { createHash, randomBytes } from 'node:crypto';

/** What an assistant opens in a browser, for somebody to sign it in; it has registered itself a moment ago. */
export async function assistantRequest(authUrl: string, redirectUri: string): Promise<string> {
  const response = await fetch(`${authUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'An assistant', redirect_uris: [redirectUri] }),
  });
  const { client_id } = (await response.json()) as { client_id: string };
  const code_challenge = createHash('sha256').update(randomBytes(32).toString('base64url')).digest('base64url');
  const parameters = { client_id, redirect_uri: redirectUri, response_type: 'code', state: 'state' };
  const query = new URLSearchParams({ ...parameters, code_challenge, code_challenge_method: 'S256' });
  return `${authUrl}/oauth/authorize?${query.toString()}`;
}
