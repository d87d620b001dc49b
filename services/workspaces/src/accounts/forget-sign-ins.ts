import type { EntityManager } from '@mikro-orm/postgresql';
import { forgetDevices } from './known-devices.js';
import { Sessions } from './sessions.js';
import { forgetAttempts } from './throttle.js';

/** Drops what signing in has left behind and is over. */
export async function forgetSignIns(em: EntityManager): Promise<void> {
  await new Sessions(em).forget();
  await forgetDevices(em);
  await forgetAttempts(em);
}
