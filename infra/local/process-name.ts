import type { NatsUser } from '../nats/permissions.js';

/** A process is named as its NATS user. The provider is outside: it has none. */
export type ProcessName = NatsUser | 'sandbox-provider';
