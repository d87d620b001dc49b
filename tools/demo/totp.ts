import { Secret, TOTP } from 'otpauth';

/** The code that an authenticator app shows for this secret. @param at milliseconds since 1970; now */
export function totpCode(secret: string, at = Date.now()): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: at });
}
