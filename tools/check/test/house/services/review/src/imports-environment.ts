import { env } from 'node:process';

export const url = env['DATABASE_URL'];
