/** The state of an order: a lost one is unknown, an accepted one settles soon, a held one stays under way. */
export const ORDER_STATES = ['lost', 'accepted', 'held', 'settled', 'declined'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

export interface Script {
  arrivesAs: OrderState;
  /** Whether the payer gets a response. */
  answers: boolean;
}

const SETTLES: Script = { arrivesAs: 'settled', answers: true };
const DECLINES: Script = { arrivesAs: 'declined', answers: true };

/** Destinations that script the outcome; to any other the money arrives at once. */
const SCRIPTS: ReadonlyMap<string, (attempt: number) => Script> = new Map([
  ['sandbox:declines', () => DECLINES],
  ['sandbox:declines-once', (attempt: number) => (attempt === 1 ? DECLINES : SETTLES)],
  ['sandbox:settles-later', () => ({ arrivesAs: 'accepted', answers: true })],
  ['sandbox:stays-under-way', () => ({ arrivesAs: 'held', answers: true })],
  ['sandbox:times-out', () => ({ arrivesAs: 'accepted', answers: false })],
  ['sandbox:answer-lost', () => ({ arrivesAs: 'settled', answers: false })],
  ['sandbox:order-lost', () => ({ arrivesAs: 'lost', answers: true })],
]);

/** Keys end with the number of the attempt. */
export function scriptOf(destination: string, idempotencyKey: string): Script {
  const attempt = Number(idempotencyKey.split(':').at(-1));
  return SCRIPTS.get(destination)?.(attempt) ?? SETTLES;
}
