import type { FastifyReply, FastifyRequest } from 'fastify';
import { DEVICE_DAYS } from '../accounts/known-devices.js';
import { isSecret } from '../accounts/secret.js';
import type { PasswordAttempt, SignedInSecrets } from '../accounts/sign-in.js';
import type { Cookies } from './cookies.js';

/** What a password that this request brings is tried with. */
export function attemptOf(cookies: Cookies, request: FastifyRequest, email: string, password: string): PasswordAttempt {
  const device = cookies.read(request, 'device');
  return { email, password, address: request.ip, device: isSecret(device) ? device : null };
}

export function keepSignedIn(cookies: Cookies, reply: FastifyReply, { session, device }: SignedInSecrets): void {
  cookies.write(reply, 'session', session);
  cookies.write(reply, 'device', device, DEVICE_DAYS * 86_400);
}
