import { connect } from 'node:tls';
import { checkResult, runCheck, type CheckResult } from '@payroll/runtime';
import type { StackEndpoints } from '../../local/stack-file.js';

const WITHIN_MS = 5_000;
const CERTIFICATE_DAYS = 14;
const DAY_MS = 86_400_000;
/** An id that no workspace has. */
const NOBODYS = '00000000-0000-0000-0000-000000000000';

/**
 * Checks the public addresses: that they answer, name themselves correctly, and have a certificate that stays valid for
 * a while.
 */
export async function checkPublicEndpoints({ rest, mcp, auth, graphql }: StackEndpoints): Promise<CheckResult[]> {
  const doors = [
    checkApi(`${rest.url}/openapi.json`),
    checkReadiness('rest-facade', rest.url),
    checkReadiness('gateway', graphql.url),
    ...(auth ? [checkApplication(auth.url), checkIssuer(auth.url)] : []),
    ...(mcp ? [checkReadiness('mcp', mcp.url)] : []),
    ...(mcp && auth ? [checkResource(mcp.url, auth.url)] : []),
    ...[rest, mcp, auth].flatMap((door) => (door?.url.startsWith('https:') ? [checkCertificate(door.url)] : [])),
  ];
  return (await Promise.all(doors)).flat();
}

async function checkReadiness(name: string, url: string): Promise<CheckResult[]> {
  const what = `${name} is ready`;
  return await runCheck(what, `is ${name} running, and its address ${new URL(url).origin} right?`, async () => {
    const answer = await ask(new URL('/readyz', url).href);
    const { waitingFor = [] } = (await answer.json()) as { waitingFor?: string[] };
    return [checkResult(what, answer.ok, `it waits for ${waitingFor.join(', ')}`, `look at these, and at its log`)];
  });
}

async function checkApi(url: string): Promise<CheckResult[]> {
  const [what, todo] = ['/v1 answers', 'look at rest-facade, its /readyz and the balancer'];
  return await runCheck(what, todo, async () => {
    const { ok, status } = await ask(url);
    return [checkResult(what, ok, `${url} answers ${status}`, todo)];
  });
}

/** At the same address as sign-in: the application itself sends a signed-out visitor there. */
async function checkApplication(authUrl: string): Promise<CheckResult[]> {
  const what = 'the application answers beside sign-in';
  const todo = 'is console running, and does the balancer send it its paths?';
  return await runCheck(what, todo, async () => {
    const page = `/workspaces/${NOBODYS}/contracts`;
    const { status, headers } = await fetch(authUrl + page, {
      redirect: 'manual',
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    const isSentToSignIn = headers.get('location')?.startsWith('/sign-in?') ?? false;
    return [checkResult(what, isSentToSignIn, `${authUrl}${page} answers ${status}`, todo)];
  });
}

/** RFC 8414 §3.3: a client refuses an issuer that is not the address it was found at. */
async function checkIssuer(authUrl: string): Promise<CheckResult[]> {
  const what = 'sign-in says its own address';
  return await runCheck(what, 'is workspaces running, and is APP_URL the address that browsers use?', async () => {
    const metadata = await ask(new URL('/.well-known/oauth-authorization-server', authUrl).href);
    const { issuer } = (await metadata.json()) as { issuer?: string };
    return [
      checkResult(what, issuer === authUrl, `it says ${issuer} at ${authUrl}`, 'set APP_URL to the public address'),
    ];
  });
}

/** RFC 9728 §3.3: the same for the resource, and for the address at which it lets hosts sign in. */
async function checkResource(mcpUrl: string, authUrl: string): Promise<CheckResult[]> {
  const what = '/mcp says its own address and where to sign in';
  return await runCheck(what, 'is mcp running, and is MCP_URL the address that hosts use?', async () => {
    const { origin, pathname } = new URL(mcpUrl);
    const metadata = await ask(`${origin}/.well-known/oauth-protected-resource${pathname}`);
    const { resource, authorization_servers: servers = [] } = (await metadata.json()) as {
      resource?: string;
      authorization_servers?: string[];
    };
    const seen = `it says ${resource}, to be signed in to at ${servers.join(', ')}`;
    const isRight = resource === mcpUrl && servers.includes(authUrl);
    return [checkResult(what, isRight, seen, 'set MCP_URL and APP_URL of mcp and workspaces to the public addresses')];
  });
}

async function checkCertificate(url: string): Promise<CheckResult[]> {
  const { host, hostname, port } = new URL(url);
  const what = `the certificate of ${host} is good for ${CERTIFICATE_DAYS} days and more`;
  return await runCheck(what, 'look at what ends TLS there', async () => {
    const expiresAt = await expiryOf(hostname, Number(port || 443));
    const days = (expiresAt - Date.now()) / DAY_MS;
    return [checkResult(what, days > CERTIFICATE_DAYS, `it expires in ${days.toFixed(0)} days`, 'renew it')];
  });
}

async function expiryOf(host: string, port: number): Promise<number> {
  return await new Promise((resolve, reject) => {
    const socket = connect({ host, port, servername: host, timeout: WITHIN_MS }, () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to));
      socket.end();
    });
    socket.once('error', reject);
    socket.once('timeout', () => socket.destroy(new Error('no answer in time')));
  });
}

async function ask(url: string): Promise<Response> {
  return await fetch(url, { signal: AbortSignal.timeout(WITHIN_MS) });
}
