import { readFileSync } from 'node:fs';

/** The composed schema as committed (`npm run schema` writes it). */
export function supergraph(): string {
  return readFileSync(new URL('../supergraph.graphql', import.meta.url), 'utf8');
}
