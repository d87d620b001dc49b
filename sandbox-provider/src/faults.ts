import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { Value } from 'typebox/value';
import type { OrderState } from './orders.js';

const share = Type.Number({ minimum: 0, maximum: 1, default: 0 });

/** How the provider misbehaves, beside what destinations script. Shares are of calls, 0 to 1. */
const faults = Type.Object({
  /** Every answer comes that much later. */
  delayMs: Type.Integer({ minimum: 0, maximum: 60_000, default: 0 }),
  /** Answered 503, and nothing is done. */
  fails: share,
  /** Done, and the connection is cut before the answer. */
  answersLost: share,
  /** Carried out, but answered half a minute later, after the client's timeout. */
  hangs: share,
  /** New orders that are acknowledged as under way, and then forgotten. */
  forgets: share,
  /** Every connection is cut, and no callback is sent. */
  isDown: Type.Boolean({ default: false }),
  /** How often each callback is sent: 0 never, 2 every one twice. */
  callbackCopies: Type.Integer({ minimum: 0, maximum: 10, default: 1 }),
});

export type Faults = Static<typeof faults>;

export const NO_FAULTS: Faults = Value.Create(faults);

const validator = Compile(Type.Partial(faults, { additionalProperties: false }));

/** The faults in the body; all others are off. Null if the body is invalid. */
export function readFaults(body: unknown): Faults | null {
  return validator.Check(body) ? { ...NO_FAULTS, ...body } : null;
}

export function happens(share: number): boolean {
  return Math.random() < share;
}

interface Script {
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
