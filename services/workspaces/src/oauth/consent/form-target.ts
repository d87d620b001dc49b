/**
 * Browsers that follow the answer to a form also ask `form-action` about where it leads: without this the client would
 * never get its code. An origin as it is; of native applications the scheme, as they have no origin.
 */
export function formTarget(redirectUri: string): string {
  const { protocol, origin } = new URL(redirectUri);
  return protocol === 'https:' || protocol === 'http:' ? origin : protocol;
}
