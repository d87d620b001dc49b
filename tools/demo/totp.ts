import { Secret, TOTP } from 'otpauth';

/** The code that an authenticator app shows now for this secret. */
export function totpCode(secret: string): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() });
}
