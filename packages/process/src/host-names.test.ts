import { expect, it } from 'vitest';
import { ownHosts } from './host-names.js';

const isOwn = ownHosts(['https://api.example.com/v1', '/v1'], ['balancer']);

it.each([
  undefined,
  'api.example.com',
  'API.Example.com:443',
  'balancer:4000',
  'localhost:4000',
  '127.0.0.1:4000',
  '[::1]:4000',
  '10.213.77.130',
])('%s is ours', (host) => {
  expect(isOwn({ url: '/', headers: { host } })).toBe(true);
});

it.each([
  'evil.example',
  'api.example.com.evil.example',
  'example.com',
  'localhost.evil.example:4000',
  '127.0.0.1.evil.example',
  'evil.example@localhost',
  'localhost/evil.example',
  'localhost, evil.example',
  '[::1',
  '',
])('%s is not', (host) => {
  expect(isOwn({ url: '/', headers: { host } })).toBe(false);
  expect(isOwn({ url: '/readyz', headers: { host } })).toBe(true);
});
