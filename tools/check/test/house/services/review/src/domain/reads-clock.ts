import { randomUUID } from 'node:crypto';

export const stamp = (): string => `${randomUUID()} ${new Date().toISOString()}`;
