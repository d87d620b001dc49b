/** The connection was never made, so nothing was said on it: by Node's and undici's codes. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);
/** The connection ended with no word of an answer: the request may or may not have been read. */
const UNANSWERED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * Whether a message may go out once more, on another connection: a process of the service was just stopped, and another
 * one is there. What only reads may always be repeated, a mutation only if the service cannot have seen it.
 */
export function mayTryAgain(error: unknown, requests: readonly { query: string }[]): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (NEVER_SENT.has(code)) return true;
  return UNANSWERED.has(code) && requests.every(({ query }) => !isMutation(query));
}

export function isMutation(query: string): boolean {
  return query.startsWith('mutation');
}
