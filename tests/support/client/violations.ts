interface Violation {
  location: string[];
  message: string;
}

/**
 * The findings of a validating proxy (Stoplight Prism sends them in a header). Those about an answer always count;
 * those about a request only if the service accepted it, because tests send bad requests on purpose.
 */
export function violationsOf(headers: Headers, status: number): string[] {
  const said = headers.get('sl-violations');
  if (said === null) return [];
  return parse(said)
    .filter(({ location: [side] }) => side !== 'request' || status < 400)
    .map(({ location, message }) => `${location.join('.')} ${message}`);
}

/** A header has a maximum length: a longer list is cut off and is then invalid JSON. */
function parse(said: string): Violation[] {
  try {
    return JSON.parse(said) as Violation[];
  } catch {
    return said.includes('["response"') ? [{ location: ['response'], message: said }] : [];
  }
}
