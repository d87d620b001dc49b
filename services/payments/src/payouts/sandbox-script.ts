import type { PayoutOrder } from './provider.js';

/** What became of an order; a lost one never arrived, a held one stays under way. */
export const SANDBOX_STATES = ['lost', 'accepted', 'held', 'settled', 'declined'] as const;
export type SandboxState = (typeof SANDBOX_STATES)[number];

export interface SandboxScript {
  arrivesAs: SandboxState;
  /** Whether the one who submits hears of it. */
  answers: boolean;
}

const SETTLES: SandboxScript = { arrivesAs: 'settled', answers: true };
const DECLINES: SandboxScript = { arrivesAs: 'declined', answers: true };

/** Destinations with a meaning of their own; to every other the money arrives at once. */
const SCRIPTS: ReadonlyMap<string, (attempt: number) => SandboxScript> = new Map([
  ['sandbox:declines', () => DECLINES],
  ['sandbox:declines-once', (attempt: number) => (attempt === 1 ? DECLINES : SETTLES)],
  ['sandbox:settles-later', () => ({ arrivesAs: 'accepted', answers: true })],
  ['sandbox:stays-under-way', () => ({ arrivesAs: 'held', answers: true })],
  ['sandbox:times-out', () => ({ arrivesAs: 'accepted', answers: false })],
  ['sandbox:answer-lost', () => ({ arrivesAs: 'settled', answers: false })],
  ['sandbox:order-lost', () => ({ arrivesAs: 'lost', answers: true })],
]);

export function scriptOf({ destination, attempt }: Pick<PayoutOrder, 'destination' | 'attempt'>): SandboxScript {
  return SCRIPTS.get(destination)?.(attempt) ?? SETTLES;
}
