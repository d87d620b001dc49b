import { describe, expect, it } from 'vitest';
import { displayName, hostOf, normalizeClientMetadata, type ClaimedMetadata } from './oauth-client.js';

function settled(metadata: ClaimedMetadata): ClaimedMetadata {
  const copy = { redirect_uris: ['https://client.example/callback'], ...metadata };
  expect(normalizeClientMetadata(copy)).toBeNull();
  return copy;
}

const problemOf = (...uris: unknown[]): string | null => normalizeClientMetadata({ redirect_uris: uris });

describe('OAuth client metadata', () => {
  it('is replaced by what we offer, whatever the client requests', () => {
    const asked = {
      client_id: 'id',
      client_name: 'Assistant',
      client_secret: 'made for it before we were asked',
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['client_credentials', 'implicit'],
      response_types: ['token'],
      scope: 'everything',
      sector_identifier_uri: 'https://inside.example/',
      jwks_uri: 'https://inside.example/',
    };
    expect(settled(asked)).toEqual({
      client_id: 'id',
      client_name: 'Assistant',
      redirect_uris: ['https://client.example/callback'],
      application_type: 'web',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  });

  it.each([
    ['https://client.example/callback'],
    ['http://127.0.0.1:8123/callback'],
    ['http://localhost/callback'],
    ['http://[::1]:1/'],
    ['com.example.app:/callback'],
    ['assistant://auth/callback'],
    [`https://client.example/${'x'.repeat(2_000 - 'https://client.example/'.length)}`],
  ])('accepts the redirect %s', (uri) => {
    expect(problemOf(uri)).toBeNull();
  });

  it.each([
    ['http://client.example/callback'],
    ['http://127.0.0.1.client.example/'],
    ['http://localhost.client.example/'],
    ['https://user@client.example/'],
    ['https://client.example/#fragment'],
    ['https://client.example/#'],
    ['javascript:alert(1)'],
    ['JavaScript:alert(1)'],
    ['data:text/html,x'],
    ['file:///etc/passwd'],
    ['no uri'],
    [''],
    [7],
    [`https://client.example/${'x'.repeat(2_000)}`],
  ])('refuses the redirect %s', (uri) => {
    expect(problemOf('https://client.example/callback', uri)).toContain('redirect_uris');
  });

  it.each(['\0', '\ud800'])('refuses the character %j, which Postgres does not store', (character) => {
    const uri = `https://client.example/${character}`;
    for (const metadata of [{ client_uri: uri }, { redirect_uris: [uri] }]) {
      const claimed = { redirect_uris: ['https://client.example/callback'], ...metadata };
      expect(normalizeClientMetadata(claimed)).toContain('characters');
    }
  });

  it('must have redirects, and not too many', () => {
    expect(problemOf(...Array.from({ length: 20 }, (_, n) => `https://client.example/${n}`))).toBeNull();
    expect(problemOf()).toContain('must contain members');
    expect(normalizeClientMetadata({})).toContain('must contain members');
    expect(normalizeClientMetadata({ redirect_uris: 'https://client.example/' })).toContain('must contain members');
    expect(problemOf(...Array.from({ length: 21 }, (_, n) => `https://client.example/${n}`))).toContain('at most');
  });

  it.each([
    [['https://client.example/'], 'web'],
    [['http://127.0.0.1:8123/callback'], 'native'],
    [['http://127.0.0.1/callback'], 'native'],
    [['https://client.example/', 'assistant://callback'], 'native'],
  ])('with the redirect %j is of type %s, whatever it declares', (redirect_uris, type) => {
    expect(settled({ redirect_uris })['application_type']).toBe(type);
    for (const application_type of ['native', 'web', 7]) {
      expect(settled({ redirect_uris, application_type })['application_type']).toBe(type);
    }
  });
});

describe('the name of a client', () => {
  it.each([
    ['Assistant', 'Assistant'],
    ['  two\n\nlines\t', 'two lines'],
    ['abc\u202Edef\u0000\u2028ghi', 'abc def ghi'],
    ['', 'client.example'],
    [undefined, 'client.example'],
    [{ not: 'text' }, 'client.example'],
    ['😀'.repeat(101), '😀'.repeat(100)],
  ])('%j is shown as %j', (name, shown) => {
    expect(displayName(name, ['https://client.example/'])).toBe(shown);
  });
});

it.each([
  ['https://client.example:8443/callback', 'client.example:8443'],
  ['http://127.0.0.1:99/callback', 'this computer'],
  ['assistant://callback', 'assistant:'],
  ['nothing', ''],
])('for %s the shown host is %s', (uri, host) => {
  expect(hostOf(uri)).toBe(host);
});
