import { Secret, TOTP } from 'otpauth';

/** The form that every authenticator app knows (RFC 6238). */
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Steps that the clock of a phone may be ahead or behind. */
const DRIFT = 1;
/** RFC 4226 §4 recommends 160 bits. */
const SECRET_BYTES = 20;
const RECOVERY_BYTES = 10;
const RECOVERY_CODES = 10;

/** In base32, as authenticator apps take it. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The address in the QR code. */
export function totpUri(secret: string, email: string): string {
  return new TOTP({ ...FORM, secret, issuer: 'Payroll', label: email }).toString();
}

/** The time step whose code it is; null for a wrong code. */
export function stepOf(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const delta = TOTP.validate({ ...FORM, secret: Secret.fromBase32(secret), token: code, window: DRIFT, timestamp });
  return delta === null ? null : TOTP.counter({ period: FORM.period, timestamp }) + delta;
}

/** 80 random bits each, as four groups of four letters and digits. */
export function newRecoveryCodes(): string[] {
  const newCode = (): string => new Secret({ size: RECOVERY_BYTES }).base32.match(/.{4}/g)!.join('-');
  return Array.from({ length: RECOVERY_CODES }, newCode);
}

/** A code as a person types it, with or without spaces and hyphens; null for any other text. */
export function readCode(typed: string): { kind: 'totp' | 'recovery'; code: string } | null {
  const code = typed.replaceAll(/[\s-]/g, '').toUpperCase();
  if (/^\d{6}$/.test(code)) return { kind: 'totp', code };
  return /^[A-Z2-7]{16}$/.test(code) ? { kind: 'recovery', code } : null;
}
