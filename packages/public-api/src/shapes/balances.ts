import { Type, type Static } from 'typebox';
import { Money, noted, Timestamp } from './scalars.js';

/** As many as there are currency codes: three or four capital letters. */
const MOST_CURRENCIES = 26 ** 3 + 26 ** 4;

const ofEachCurrency = (description: string) => Type.Array(Money, { maxItems: MOST_CURRENCIES, description });

/** What the workspace can spend and what is on its way, one amount for each currency (public-api.md §2). */
export const Balances = Type.Object(
  {
    available: ofEachCurrency('What can be spent, one amount for each currency.'),
    pending: ofEachCurrency('The net of payments that are pending or processing, one amount for each currency.'),
    asOf: noted(Timestamp, 'The moment at which both were read.'),
  },
  { additionalProperties: false, description: 'What the workspace can spend, and what is on its way.' },
);
export type Balances = Static<typeof Balances>;
