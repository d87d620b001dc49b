import { expect, it } from 'vitest';
import { publicOrigin } from './serve-pages.js';

it.each([
  ['https://accounts.example.com', 'live'],
  ['https://accounts.example.com/', 'live'],
  ['https://accounts.example.com:8443', 'test'],
  ['http://127.0.0.1:4002', 'test'],
  ['http://localhost:4002', 'test'],
  ['http://[::1]:4002', 'test'],
] as const)('pages may have the origin %s in %s', (url, deployment) => {
  expect(publicOrigin(url, deployment)).toBe(url.replace(/\/$/, ''));
});

it.each([
  ['http://127.0.0.1:4002', 'live'],
  ['http://accounts.example.com', 'test'],
  ['http://127.0.0.1.example.com', 'test'],
  ['https://accounts.example.com/auth', 'live'],
  ['https://user@accounts.example.com', 'live'],
  ['https://accounts.example.com/?a', 'live'],
] as const)('refuses the origin %s in %s', (url, deployment) => {
  expect(() => publicOrigin(url, deployment)).toThrow('APP_URL');
});
