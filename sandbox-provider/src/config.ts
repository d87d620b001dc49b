import { edgeSettings, readSettings, StartError } from '@payroll/runtime';

export type SandboxConfig = ReturnType<typeof readConfig>;

/** @throws StartError in a live deployment, where orders must move real money. */
export function readConfig(env: NodeJS.ProcessEnv) {
  const { deployment, ...config } = readSettings(env, (s) => ({
    ...edgeSettings(s, 4020),
    deployment: s.choice('DEPLOYMENT', ['test', 'live']),
    /** The file of its books. */
    ordersFile: s.text('ORDERS_FILE'),
    key: s.text('PROVIDER_KEY'),
    /** The address of callbacks, and the key that signs them. */
    callback: { url: s.url('CALLBACK_URL', ['http:', 'https:']), key: s.ownKeys('CALLBACK_KEY')?.[0] },
  }));
  if (deployment === 'test') return config;
  throw new StartError(
    'DEPLOYMENT is live: the sandbox provider pays nobody; PROVIDER_URL of payments names a real one',
  );
}
