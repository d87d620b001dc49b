import type { Judgement } from './judgement.js';
import { LEDGER } from './ledger.js';
import { MESSAGES } from './messages.js';
import { WORK } from './work.js';

/** All that reconcile holds the database against. */
export const JUDGEMENTS: readonly Judgement[] = [...WORK, ...LEDGER, ...MESSAGES];
