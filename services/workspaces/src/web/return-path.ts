/** Longer than any address of ours, authorization requests included. */
const MAX_LENGTH = 4_000;

/**
 * Where to go on after signing in: a path of our own, or null. Whatever a browser would read as another site is none:
 * `//host`, `/\host`, a scheme, or control characters that browsers drop before they look.
 */
export function readReturnPath(text: unknown, origin: string): string | null {
  if (typeof text !== 'string' || text.length > MAX_LENGTH || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text)) return null;
  if (text.includes('\\') || !URL.canParse(text, origin)) return null;
  const url = new URL(text, origin);
  return url.origin === origin && !url.pathname.startsWith('//') ? url.pathname + url.search : null;
}
