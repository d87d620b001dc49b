import { signInPath } from '@payroll/pages';
import type { IncomingMessage } from 'node:http';
import { interactionPolicy, type Configuration } from 'oidc-provider';
import { INTERACTION_PATH } from './settings.js';

const { Check, Prompt } = interactionPolicy;

/**
 * A person has to look at every authorization request: public clients prove nothing (RFC 6749 §10.2, RFC 9700 §4.14).
 */
const consentRequired = new Check('unseen', 'a person has to look at this request', 'interaction_required', (ctx) =>
  ctx.oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
);

/** The sign-in URL for requests of people who are not signed in; it returns to the same request. */
const signInUrls = new WeakMap<IncomingMessage, string>();

export const interactions: NonNullable<Configuration['interactions']> = {
  policy: [
    new Prompt({ name: 'login', requestable: true }),
    new Prompt({ name: 'consent', requestable: true }, consentRequired),
  ],
  url: async (ctx, interaction) => {
    const way = signInUrls.get(ctx.req);
    // Anyone can make requests; store them only for signed-in people.
    if (way !== undefined) await interaction.destroy();
    return way ?? `${INTERACTION_PATH}/${interaction.uid}`;
  },
};

/**
 * Treat max_age below 60 s as 60 s: the user has just signed in on the way here, and a shorter limit would send them
 * back to sign-in in a loop.
 */
const JUST_NOW_S = 60;

/** Marks an authorization request without a session; `url` is the request's URL as it was sent. */
export function rememberUnauthenticated(raw: IncomingMessage, url: string): void {
  const back = new URL(url, 'http://here');
  // `login` and a short `max_age` both require a new sign-in, which follows anyway: relax them, so that the returned
  // request does not loop.
  const prompts = back.searchParams.get('prompt')?.split(' ') ?? [];
  const others = prompts.filter((prompt) => prompt !== 'login');
  if (others.length < prompts.length) back.searchParams.set('prompt', others.join(' ') || 'consent');
  const maxAge = back.searchParams.get('max_age');
  if (maxAge !== null && Number(maxAge) < JUST_NOW_S) back.searchParams.set('max_age', String(JUST_NOW_S));
  signInUrls.set(raw, signInPath(back.pathname + back.search));
}
