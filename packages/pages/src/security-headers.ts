interface Allowed {
  /** Origins beside our own that answers to forms may lead to. */
  formTargets?: readonly string[];
  /** Allows our own scripts, which may connect to this origin only. */
  islands?: boolean;
}

export function contentPolicy({ formTargets = [], islands = false }: Allowed = {}): string {
  return [
    "default-src 'none'",
    ...(islands ? ["script-src 'self'", "connect-src 'self'"] : []),
    "style-src 'self'",
    "img-src 'self'",
    ["form-action 'self'", ...formTargets].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** On every answer, beside what each edge says. Pages run no script, unless they have islands, and are shown in no frame. */
export const SECURITY_HEADERS = {
  'Content-Security-Policy': contentPolicy(),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  // Not `no-referrer`: with it browsers hide the origin of a form from the form guard.
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
};
