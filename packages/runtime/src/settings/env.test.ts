import { createSecretKey } from 'node:crypto';
import { expect, it } from 'vitest';
import { readSettings, type Settings } from './env.js';

const KEY = 'ab'.repeat(32);

const read = (env: Record<string, string>) =>
  readSettings(env, (s: Settings) => ({
    host: s.text('HOST', '127.0.0.1'),
    port: s.port('PORT', 4000),
    url: s.url('URL', ['postgres:', 'postgresql:']),
    mode: s.choice('MODE', ['test', 'live'], 'test'),
    key: s.key('KEY'),
    keys: s.keys('KEYS', ['a', 'b']),
  }));

const good = { URL: 'postgres://x@h/d', KEY, KEYS: `b=${KEY},a=${KEY}` };

it('reads settings, and uses defaults where they make sense', () => {
  const { key, keys, ...rest } = read(good);
  const same = createSecretKey(KEY, 'hex');
  expect([key, keys.a, keys.b].map((each) => each.equals(same))).toEqual([true, true, true]);
  expect(rest).toEqual({
    host: '127.0.0.1',
    port: 4000,
    url: 'postgres://x@h/d',
    mode: 'test',
  });
});

it('reports all invalid variables at once, in one line', () => {
  const wrong = { URL: 'mysql://x', KEY: 'short', KEYS: `a=${KEY}`, PORT: '-1', MODE: 'loud' };
  expect(() => read(wrong)).toThrow(
    /^PORT is not valid.*URL is not valid.*MODE is not valid.*KEY is not valid.*KEYS is not valid[^\n]*$/,
  );
  expect(() => read({})).toThrow(/URL is missing.*KEY is missing.*KEYS is missing/);
});

it('reads several keys, so that one can replace another', () => {
  const ringIn = (RING: string) => readSettings({ RING }, (s: Settings) => s.keyRing('RING'));
  expect(ringIn(`${KEY}, ${'cd'.repeat(32)}`)).toEqual([Buffer.alloc(32, 0xab), Buffer.alloc(32, 0xcd)]);
  for (const RING of [`${KEY},`, 'short', '']) expect(() => ringIn(RING), RING).toThrow(/^RING is/);
});

it('reads host names as browsers send them, and refuses what no Host header without a port can be', () => {
  const names = (HOSTS: string) => readSettings({ HOSTS }, (s: Settings) => s.hostNames('HOSTS'));
  expect(names('a.example, B.example,')).toEqual(['a.example', 'b.example']);
  expect(names('')).toEqual([]);
  for (const wrong of ['https://a.example', 'a.example:8443', 'a.example/path', 'a b', 'me@a.example'])
    expect(() => names(`b.example,${wrong}`), wrong).toThrow('HOSTS is not valid: expected host names without scheme');
});

it.each(['', ' 80', '1e3', '70000', '80.5', '0x50'])('%j is an invalid port, or empty for the default', (PORT) => {
  if (PORT === '') expect(read({ ...good, PORT }).port).toBe(4000);
  else expect(() => read({ ...good, PORT })).toThrow('PORT is not valid: expected a port number from 0 to 65535');
});

it('reads the address of a mailbox', () => {
  const from = (MAIL_FROM: string) => readSettings({ MAIL_FROM }, (s: Settings) => s.mailbox('MAIL_FROM'));
  for (const text of ['a@b.example', 'Payroll <a@b.example>', 'payroll@localhost']) expect(from(text)).toBe(text);
  for (const text of ['nonsense', 'a@b; drop', 'a@b.example, c@d.example', '<a b@c.example>', 'Ada a@b.example'])
    expect(() => from(text), text).toThrow('MAIL_FROM is not valid: expected a mail address such as');
});

it('reads the name of a cell, which may be missing', () => {
  const cell = (env: Record<string, string>) => readSettings(env, (s: Settings) => s.cell());
  expect([cell({}), cell({ CELL: '' }), cell({ CELL: 'eu1' }), cell({ CELL: 'apsouth2' })]).toEqual([
    ...[null, null, 'eu1', 'apsouth2'],
  ]);
  for (const CELL of ['EU1', '1eu', 'eu-1', 'eu_1', 'frankfurt', 'eu1 ']) {
    expect(() => cell({ CELL }), CELL).toThrow('CELL is not valid: expected up to 8 lower-case letters and digits');
  }
});

it('reads a password for each of several roles', () => {
  const roles = (ROLES: string) => readSettings({ ROLES }, (s: Settings) => s.passwords('ROLES', ['a', 'b']));
  expect(roles('b=two,a=one')).toEqual({ a: 'one', b: 'two' });
  for (const wrong of ['a=one', 'a=one,b=', 'a=one,a=three,b=two'])
    expect(() => roles(wrong), wrong).toThrow('a=<password>,b=<password>');
});

it('adds a separate password to a URL whose user has none', () => {
  const urls = (env: Record<string, string>) =>
    readSettings(env, (s: Settings) => [s.databaseUrl(), s.natsUrl()]).map((url) => new URL(url));
  const env = { DATABASE_URL: 'postgres://review@h/d?a=b', NATS_URL: 'nats://mcp@h:4222', NATS_PASSWORD: 'n' };
  const [database, nats] = urls({ ...env, DATABASE_PASSWORD: 'p@ss/%word' });
  expect(database?.href).toBe('postgres://review:p%40ss%2F%25word@h/d?a=b');
  expect(nats?.password).toBe('n');
  expect(urls({ ...env, NATS_URL: 'nats://mcp:own@h' })[1]?.password).toBe('own');
  expect(urls({ ...env, NATS_URL: 'nats://h:4222' })[1]?.password).toBe('');
  expect(() => urls({ DATABASE_PASSWORD: 'p', NATS_PASSWORD: 'p' })).toThrow(/DATABASE_URL.*NATS_URL/);
});

it("uses the first NATS server's protocol and user for those that do not name their own", () => {
  const servers = (NATS_URL: string) => readSettings({ NATS_URL, NATS_PASSWORD: 'n' }, (s: Settings) => s.natsUrl());
  expect(servers('tls://mcp@a:1, b:2,c')).toBe('tls://mcp:n@a:1,tls://mcp:n@b:2,tls://mcp:n@c');
  expect(servers('nats://a:1,b:2,nats://mcp@c:3')).toBe('nats://a:1,nats://b:2,nats://mcp:n@c:3');
  for (const wrong of ['a:1,nats://b:2', 'nats://a:1,b:x', ','])
    expect(() => servers(wrong), wrong).toThrow('NATS_URL');
});

it('reads two values of a secret that is rotated: all that are accepted, or the first, which is in use', () => {
  const OTHER = 'cd'.repeat(32);
  const env = {
    ...{ SECRET: 'new,old', KEY: `${KEY},${OTHER}` },
    EACH: 'a=one,b=new,old,c=three',
    KEYS: `a=${KEY},${OTHER},b=${OTHER}`,
  };
  const values = (given: Record<string, string>) =>
    readSettings({ ...env, ...given }, (s: Settings) => ({
      ...{ secrets: s.secrets('SECRET'), secret: s.secret('SECRET') },
      ...{
        keys: s.ownKeys('KEY').map((each) => each.export().toString('hex')),
        each: s.secretLists('EACH', ['a', 'b', 'c']),
      },
      ...{ passwords: s.passwords('EACH', ['a', 'b', 'c']), b: s.keys('KEYS', ['a', 'b']).b.export().toString('hex') },
    }));
  expect(values({})).toEqual({
    ...{ secrets: ['new', 'old'], secret: 'new', keys: [KEY, OTHER] },
    each: { a: ['one'], b: ['new', 'old'], c: ['three'] },
    ...{ passwords: { a: 'one', b: 'new', c: 'three' }, b: OTHER },
  });
  expect(values({ SECRET: 'one', EACH: 'a=1,2,b=3,c=x=y' })).toMatchObject({
    ...{ secrets: ['one'], secret: 'one', each: { a: ['1', '2'], b: ['3'], c: ['x=y'] } },
  });
  expect(readSettings({}, (s: Settings) => s.secrets('SECRET'))).toEqual([]);
});

it.each([',', 'x,', ',x', 'x,y,z', 'x,x'])('"%s" is neither one value of a secret nor two', (text) => {
  const read = (of: (s: Settings) => unknown) => () => readSettings({ SECRET: text, EACH: `a=1,b=${text},c=3` }, of);
  expect(read((s) => s.secrets('SECRET'))).toThrow('SECRET is not valid: expected a secret, or two different ones');
  expect(read((s) => s.secretLists('EACH', ['a', 'b', 'c']))).toThrow(
    'EACH is not valid: expected a=<secret>,b=<secret>',
  );
});

it('never repeats a value, because it may be a secret', () => {
  expect(() => read({ ...good, KEY: 'hunter2-hunter2' })).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
  );
});
