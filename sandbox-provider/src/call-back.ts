import type { KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { errorForLog } from '@payroll/kernel';
import type { Log } from '@payroll/runtime';
import { CALLBACK_HEADERS, signCallback, type Callback } from '@payroll/provider-protocol';
import type { Faults } from './faults.js';
import type { Orders } from './orders.js';

interface CallBackDependencies {
  orders: Orders;
  faults: Faults;
  callback: { url: string; key: KeyObject };
  log: Log;
}

const EVERY_MS = 250;
const SETTLES_AFTER_MS = 2_000;
const HEARD_WITHIN_MS = 3_000;
const BATCH = 20;

/** Settles accepted orders after a while, and sends a callback for each settled or declined order until it is received. */
export function startCallingBack(parts: CallBackDependencies): AsyncDisposable {
  const stopping = new AbortController();
  const working = (async () => {
    while (!stopping.signal.aborted) {
      await round(parts).catch((error: unknown) => {
        parts.log.warn({ error: errorForLog(error) }, 'A callback is sent again later');
      });
      await pause(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  })();
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await working;
    },
  };
}

async function round({ orders, faults, callback }: CallBackDependencies): Promise<void> {
  if (faults.isDown) return;
  orders.settle(new Date(Date.now() - SETTLES_AFTER_MS));
  await Promise.all(
    orders.toTell(BATCH).map(async ({ idempotencyKey }) => {
      const copies = Array.from({ length: faults.callbackCopies }, () => tell(callback, { idempotencyKey }));
      const heard = await Promise.all(copies);
      orders.told(idempotencyKey, heard.every(Boolean));
    }),
  );
}

/** Whether it was heard. */
async function tell({ url, key }: CallBackDependencies['callback'], callback: Callback): Promise<boolean> {
  const body = JSON.stringify(callback);
  const timestamp = String(Date.now());
  const headers = {
    'content-type': 'application/json',
    [CALLBACK_HEADERS.timestamp]: timestamp,
    [CALLBACK_HEADERS.signature]: signCallback(key, timestamp, body),
  };
  try {
    const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(HEARD_WITHIN_MS) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
