import { Type, type Static } from 'typebox';
import { Money, Timestamp } from './scalars.js';

/** What the workspace can spend and what is on its way, one amount for each currency (public-api.md §2). */
export const Balances = Type.Object(
  { available: Type.Array(Money), pending: Type.Array(Money), asOf: Timestamp },
  { additionalProperties: false },
);
export type Balances = Static<typeof Balances>;
