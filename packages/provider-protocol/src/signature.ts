import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';

/** The headers of a callback: when it was signed, in ms since 1970, and `v1=` with the hex digits of its HMAC-SHA-256. */
export const CALLBACK_HEADERS = { timestamp: 'payout-timestamp', signature: 'payout-signature' } as const;

/** Covers clock skew and network delay; an older request is refused as a replay. */
export const REPLAY_WINDOW_MS = 5 * 60_000;

export function signCallback(key: KeyObject, timestamp: string, body: string | Buffer): string {
  return `v1=${createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex')}`;
}

/** Whether the holder of the key signed exactly this body, within the window around `nowMs`. */
export function isGenuine(
  key: KeyObject,
  { timestamp, signature }: { timestamp: unknown; signature: unknown },
  body: Buffer,
  nowMs: number,
): boolean {
  if (typeof timestamp !== 'string' || typeof signature !== 'string' || !/^\d{1,15}$/.test(timestamp)) return false;
  const [expected, given] = [Buffer.from(signCallback(key, timestamp, body)), Buffer.from(signature)];
  const isSigned = expected.length === given.length && timingSafeEqual(expected, given);
  return isSigned && Math.abs(nowMs - Number(timestamp)) <= REPLAY_WINDOW_MS;
}
