export function contentPolicy(formTargets: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ["form-action 'self'", ...formTargets].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** On every answer, beside what each edge says. Pages run no script at all and are shown in no frame. */
export const SECURITY_HEADERS = {
  'Content-Security-Policy': contentPolicy(),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  // Not `no-referrer`: with it browsers hide the origin of a form from the form guard.
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
};
