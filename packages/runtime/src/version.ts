import { readFileSync } from 'node:fs';

/** All parts have the same version. */
export const { version: VERSION } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
