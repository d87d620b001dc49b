/** Whether requests with a key are let in, and if not, why. */
export function keyStatus(
  { revokedAt, expiresAt }: { revokedAt: string | null; expiresAt: string },
  now: string,
): 'active' | 'expired' | 'revoked' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt > now ? 'active' : 'expired';
}
