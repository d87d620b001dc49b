import { fileURLToPath } from 'node:url';

/** Where this repository lies, for sources (in tests) and for what was built from them. */
export const repositoryRoot = fileURLToPath(
  new URL(import.meta.url.includes('/dist/') ? '../../..' : '../..', import.meta.url),
);
