import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { OrderState } from './orders.js';

const share = Type.Number({ minimum: 0, maximum: 1 });

/** How the provider misbehaves, beside what destinations script. Shares are of calls, 0 to 1. */
const faults = Type.Object(
  {
    /** Every answer comes that much later. */
    delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000 })),
    /** Answered 503, and nothing is done. */
    fails: Type.Optional(share),
    /** Done, and the connection is cut before the answer. */
    answersLost: Type.Optional(share),
    /** Carried out, but answered half a minute later, after the client's timeout. */
    hangs: Type.Optional(share),
    /** New orders that are acknowledged as under way, and then forgotten. */
    forgets: Type.Optional(share),
    /** Every connection is cut, and no callback is sent. */
    isDown: Type.Optional(Type.Boolean()),
    /** How often each callback is sent: 0 never, 2 every one twice. */
    callbackCopies: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
  },
  { additionalProperties: false },
);

export type Faults = Required<Static<typeof faults>>;

export const NO_FAULTS: Faults = {
  delayMs: 0,
  fails: 0,
  answersLost: 0,
  hangs: 0,
  forgets: 0,
  isDown: false,
  callbackCopies: 1,
};

const validator = Compile(faults);

/** The faults in the body; all others are off. Null if the body is invalid. */
export function readFaults(body: unknown): Faults | null {
  return validator.Check(body) ? { ...NO_FAULTS, ...(body as Partial<Faults>) } : null;
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
