import { expect, it } from 'vitest';
import { DEVELOPMENT_MARK, refuseDevelopmentSecrets } from './development-secrets.js';

const ours = { ACTOR_KEYS: `review=${DEVELOPMENT_MARK}${'0'.repeat(52)}`, NATS_PASSWORD: `${DEVELOPMENT_MARK}x` };

it('a live deployment refuses secrets that were made for development, naming them and not their values', () => {
  const refuse = (): void => refuseDevelopmentSecrets({ ...ours, DEPLOYMENT: 'live', ACTOR_KEY: 'ab'.repeat(32) });
  expect(refuse).toThrow(/ACTOR_KEYS, NATS_PASSWORD;.*SECRETS_DIR$/);
  expect(refuse).toThrow(expect.not.objectContaining({ message: expect.stringContaining(DEVELOPMENT_MARK) }));
});

it('a test deployment takes them, and a live one what the operator made', () => {
  expect(() => refuseDevelopmentSecrets({ ...ours, DEPLOYMENT: 'test' })).not.toThrow();
  expect(() => refuseDevelopmentSecrets({ DEPLOYMENT: 'live', ACTOR_KEY: 'ab'.repeat(32) })).not.toThrow();
});
