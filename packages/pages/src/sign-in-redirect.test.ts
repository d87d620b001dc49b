import { expect, it } from 'vitest';
import { readReturnPath } from './sign-in-redirect.js';

const ORIGIN = 'https://accounts.example';

it.each(['/', '/account', '/workspaces/1?a=b', '/oauth/authorize?redirect_uri=https%3A%2F%2Fclient.example%2Fcb'])(
  '%s is a valid return path',
  (path) => expect(readReturnPath(path, ORIGIN)).toBe(path),
);

it.each([
  ...['//evil.example', '/\\evil.example', '\\\\evil.example', 'https://evil.example', 'javascript:alert(1)'],
  ...[
    '/\t/evil.example',
    '/%0d%0aLocation:x y',
    '',
    'account',
    '/a/..//evil.example',
    '/.//evil.example',
    `/${'a'.repeat(5000)}`,
  ],
  ...[undefined, ['/account', '/'], '/ä', '/a\\b'],
])('%j is not a return path', (path) => expect(readReturnPath(path, ORIGIN)).toBeNull());
