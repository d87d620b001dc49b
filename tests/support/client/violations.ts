interface Violation {
  location: string[];
  message: string;
}

/**
 * What a validating proxy on the way has found (Stoplight Prism says it in a header). Its findings about an answer count
 * always; about a request only when the service has accepted it: tests send bad requests on purpose.
 */
export function violationsOf(headers: Headers, status: number): string[] {
  const said = headers.get('sl-violations');
  if (said === null) return [];
  return parse(said)
    .filter(({ location: [side] }) => side !== 'request' || status < 400)
    .map(({ location, message }) => `${location.join('.')} ${message}`);
}

/** A header has an end: of a longer list only the beginning comes, and that is no JSON. */
function parse(said: string): Violation[] {
  try {
    return JSON.parse(said) as Violation[];
  } catch {
    return said.includes('["response"') ? [{ location: ['response'], message: said }] : [];
  }
}
