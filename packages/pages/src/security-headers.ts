/** @param hasIslands allows our own scripts, which may connect to this origin only */
export function contentPolicy(hasIslands: boolean): string {
  return [
    "default-src 'none'",
    ...(hasIslands ? ["script-src 'self'", "connect-src 'self'"] : []),
    "style-src 'self'",
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** On every answer, beside what each edge says. Pages run no script, unless they have islands, and are shown in no frame. */
export const SECURITY_HEADERS = {
  'Content-Security-Policy': contentPolicy(false),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  // Not `no-referrer`: with it browsers hide the origin of a form from the form guard.
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
};
