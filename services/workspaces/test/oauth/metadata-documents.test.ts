import type { lookup } from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { guardedFetch, isPublicAddress, type GuardedFetchOptions } from '../../src/oauth/guarded-fetch.js';
import type { Browser } from '../pages/browser.js';
import { CALLBACK, Client } from './client.js';
import { openRequest, pathOf } from './consenting.js';
import { Scene } from './scene.js';
import { CERTIFICATE, KEY } from './certificate.js';

interface Document {
  status?: number;
  headers?: Record<string, string>;
  body: string;
}

let document: Document;
let requests: number;
const server = createServer({ cert: CERTIFICATE, key: KEY }, (_request, response) => {
  requests++;
  const { status = 200, headers = {}, body } = document;
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
afterAll(() => server.close());
beforeEach(() => {
  requests = 0;
  document = { body: '{}' };
});

/** A fake resolver that returns the next of the given addresses at each call. */
function names(...answers: string[]): typeof lookup {
  let asked = 0;
  const resolve = (_name: string, _options: object, callback: (error: null, addresses: object[]) => void): void => {
    const address = answers[Math.min(asked++, answers.length - 1)]!;
    callback(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
  };
  return resolve as unknown as typeof lookup;
}

describe('a metadata document', () => {
  const get = (url: string, options: Partial<GuardedFetchOptions> = {}): Promise<Response> =>
    guardedFetch(new URL(url), { isAllowed: isPublicAddress, ca: CERTIFICATE, ...options });
  const local = { isAllowed: () => true, resolve: names('127.0.0.1') };

  it('is fetched from an allowed address', async () => {
    document = { body: '{"hello":"there"}', headers: { 'content-type': 'application/json; charset=utf-8' } };
    const response = await get(`https://localhost:${port}/client.json`, local);
    expect(await response.json()).toEqual({ hello: 'there' });
  });

  it.each([
    'https://127.0.0.1/client.json',
    'https://[::1]/client.json',
    'https://[::ffff:127.0.0.1]/client.json',
    'https://10.0.0.1/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://2130706433/client.json',
    'https://0x7f.1/client.json',
  ])('at %s is not fetched', async (url) => {
    await expect(get(url)).rejects.toThrow('not a public address');
  });

  it.each(['127.0.0.1', '::1', '10.0.0.1', '192.168.1.1', 'fe80::1', 'fc00::1'])(
    'of a name that resolves to %s is not fetched',
    async (address) => {
      await expect(get(`https://client.example:${port}/`, { resolve: names(address) })).rejects.toThrow(
        'not a public address',
      );
      expect(requests).toBe(0);
    },
  );

  it('of a name that resolves to a public and a private address is not fetched', async () => {
    const resolve = ((_name: string, _options: object, callback: (error: null, addresses: object[]) => void) =>
      callback(null, [
        { address: '93.184.216.34', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ])) as unknown as typeof lookup;
    await expect(get(`https://client.example:${port}/`, { resolve })).rejects.toThrow('not a public address');
  });

  it('is fetched from the address that was checked: the name is resolved once', async () => {
    const checked: string[] = [];
    const isAllowed = (address: string): boolean => checked.push(address) > 0;
    const rebinding = names('127.0.0.1', '10.0.0.1');
    const response = await get(`https://localhost:${port}/`, { isAllowed, resolve: rebinding });
    expect(response.status).toBe(200);
    expect(checked).toEqual(['127.0.0.1']);
    await expect(get(`https://localhost:${port}/`, { resolve: rebinding })).rejects.toThrow('not a public address');
  });

  it('that redirects is not followed', async () => {
    document = { status: 302, headers: { location: `https://localhost:${port}/other` }, body: '' };
    await expect(get(`https://localhost:${port}/`, local)).rejects.toThrow('not 302');
    expect(requests).toBe(1);
  });

  it.each<[string, Document, string]>([
    ['that is too large', { body: `"${'x'.repeat(6_000)}"` }, 'larger'],
    ['that is not JSON by its type', { body: '{}', headers: { 'content-type': 'text/html' } }, 'JSON'],
    ['that does not exist', { status: 404, body: '{}' }, 'not 404'],
  ])('%s is refused', async (_, answer, why) => {
    document = answer;
    await expect(get(`https://localhost:${port}/`, local)).rejects.toThrow(why);
  });

  it('is not fetched without TLS, or from a host with a wrong certificate', async () => {
    await expect(get('http://client.example/')).rejects.toThrow('only https');
    await expect(get(`https://other.example:${port}/`, local)).rejects.toThrow();
  });

  it('that takes too long is aborted', async () => {
    const silent = createServer({ cert: CERTIFICATE, key: KEY }, () => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    await expect(get(`https://localhost:${(silent.address() as AddressInfo).port}/`, local)).rejects.toThrow('aborted');
    silent.closeAllConnections();
    silent.close();
  });
});

describe('a client described by a metadata document', () => {
  let scene: Scene;
  let browser: Browser;
  beforeAll(async () => {
    scene = await Scene.open(
      'workspaces_oauth_documents',
      { metadataRanges: ['127.0.0.1/32'] },
      { metadata: { ca: CERTIFICATE } },
    );
    const place = await scene.workspaces.provision();
    browser = await scene.signedIn(await scene.person([place, 'admin']));
  });
  afterAll(() => scene[Symbol.asyncDispose]());

  let n = 0;
  const describedBy = (change: object, folder = ''): Client => {
    const id = `https://localhost:${port}/${folder}client-${n++}.json`;
    document = {
      body: JSON.stringify({ client_id: id, client_name: 'Described', redirect_uris: [CALLBACK], ...change }),
    };
    return Client.at(scene.issuer, id);
  };

  it("signs people in, and they see its document's host and its redirect host", async () => {
    const client = describedBy({ token_endpoint_auth_method: 'none' });
    const { page } = await openRequest(browser, client.request());
    expect(page.text).toContain('Described');
    expect(page.text).toContain(`localhost:${port}, client.example`);
    expect((await client.signIn(browser)).refresh_token).toBeTruthy();
    expect(requests).toBe(1);
  });

  it('may have a long address', async () => {
    const client = describedBy({}, `${'folder/'.repeat(200)}`);
    expect((await client.signIn(browser)).refresh_token).toBeTruthy();
  });

  it.each([
    ['names another client id', { client_id: 'https://other.example/' }],
    ['has an invalid redirect', { redirect_uris: ['http://client.example/'] }],
    ['has no redirect', { redirect_uris: [] }],
    ['has a secret', { client_secret: 'secret' }],
  ])('that %s is refused', async (_, change) => {
    const { status, location } = await browser.get(pathOf(String(describedBy(change).request())));
    expect({ status, location }).toEqual({ status: expect.any(Number) as number, location: null });
    expect(status).toBeGreaterThanOrEqual(400);
  });

  it('at a private address is not fetched', async () => {
    const client = Client.at(scene.issuer, 'https://169.254.169.254/client.json');
    const { location } = await browser.get(pathOf(String(client.request())));
    expect(location).toBeNull();
  });
});
