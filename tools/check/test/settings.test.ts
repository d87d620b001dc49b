import { expect, test } from 'vitest';
import { findFaults } from '../settings.ts';

const good = {
  compose: '      LEVEL: ${LEVEL:-info}\n      KEY_URL: http://x\n    image: ${IMAGE:-own}\n',
  example: '# How much is said.\nLEVEL=info\n\n# What runs.\nIMAGE=own\n',
  code: "s.text('LEVEL', 'x'); s.url('KEY_URL'); s.key('KEY');",
  credentials: '{ KEY: secrets.key }',
};

test('finds no fault in settings that are read, passed on and explained', () => {
  expect(findFaults(good)).toEqual([]);
});

test.each([
  [{ code: `${good.code} s.port('PORT')` }, 'PORT is read by the code, but docker-compose.yml gives it to nobody'],
  [{ compose: `${good.compose}      OLD: 1\n` }, 'docker-compose.yml gives OLD, which no code reads'],
  [
    { compose: `${good.compose}    x: \${NEW}\n` },
    'NEW is a setting of docker-compose.yml: explain it in .env.example',
  ],
  [{ example: `${good.example}GONE=\n` }, '.env.example explains GONE, which docker-compose.yml does not use'],
  [{ example: good.example.replace('# What runs.', '') }, '.env.example does not say what IMAGE is'],
  [{ example: good.example.replace('info', 'debug') }, /^\.env\.example says LEVEL=debug, but .* "info" when not set$/],
])('%j is a fault', (change, fault) => {
  expect(findFaults({ ...good, ...change })).toEqual([expect.stringMatching(fault)]);
});
