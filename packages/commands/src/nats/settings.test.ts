import { expect, test } from 'vitest';
import { delayBetweenConnects, requireReadable } from './settings.js';

test('reconnects without delay after the clock was set back', () => {
  let now = 3_600_000;
  const delay = delayBetweenConnects(() => now);
  expect(delay()).toBeGreaterThanOrEqual(250);
  now = 1_000;
  expect(delay()).toBe(-Infinity);
  now = 1_300;
  expect(delay()).toBeGreaterThanOrEqual(250);
});

test('a certificate that cannot be read is named', () => {
  const url = 'tls://contracts@nats:4222';
  expect(() => requireReadable({ url, caFile: import.meta.filename, certFile: '' })).not.toThrow();
  expect(() => requireReadable({ url, keyFile: '/nope' })).toThrow('NATS_KEY_FILE: /nope cannot be read');
});
