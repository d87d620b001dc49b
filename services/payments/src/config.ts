import { readSettings, type Settings } from '@payroll/runtime';
import { serviceSettings } from '@payroll/service';
import type { CallbackSettings } from './payouts/callbacks.js';

export function readConfig(env: NodeJS.ProcessEnv) {
  return readSettings(env, (s) => {
    const deployment = s.choice('DEPLOYMENT', ['test', 'live']);
    return {
      ...serviceSettings(s, 'payments'),
      /** The payout provider, and the key by which it knows this service. */
      provider: {
        // In a live deployment, orders and the key are sent over TLS only.
        url: s.url('PROVIDER_URL', deployment === 'live' ? ['https:'] : ['https:', 'http:']),
        key: s.text('PROVIDER_KEY'),
      },
      callbacks: callbackSettings(s),
      payeeHoldHours: s.wholeNumber('PAYEE_HOLD_HOURS', { from: 1, to: 720 }, 24),
    };
  });
}

function callbackSettings(s: Settings): CallbackSettings {
  return {
    listenHost: s.text('CALLBACK_LISTEN_HOST', '127.0.0.1'),
    listenPort: s.port('CALLBACK_LISTEN_PORT', 4005),
    url: s.url('CALLBACK_URL', ['https:', 'http:']),
    keys: s.ownKeys('CALLBACK_KEY'),
  };
}
