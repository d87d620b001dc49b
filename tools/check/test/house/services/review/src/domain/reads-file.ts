import { readFileSync } from 'node:fs';

export const terms = (): string => readFileSync('terms.json', 'utf8');
