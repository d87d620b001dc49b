import { signInPath } from '@payroll/pages';
import type { IncomingMessage } from 'node:http';
import { interactionPolicy, type Configuration } from 'oidc-provider';
import { INTERACTION_PATH } from './settings.js';

const { Check, Prompt } = interactionPolicy;

/** A person looks at every authorization: public clients prove nothing (RFC 6749 §10.2, RFC 9700 §4.14). */
const unseen = new Check('unseen', 'somebody has to look at this request', 'interaction_required', (ctx) =>
  ctx.oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
);

/** Where strangers sign in and come back with the same request. */
const waysIn = new WeakMap<IncomingMessage, string>();

export const interactions: NonNullable<Configuration['interactions']> = {
  policy: [
    new Prompt({ name: 'login', requestable: true }),
    new Prompt({ name: 'consent', requestable: true }, unseen),
  ],
  url: async (ctx, interaction) => {
    const way = waysIn.get(ctx.req);
    // Anybody can ask; what is kept is for those who have signed in.
    if (way !== undefined) await interaction.destroy();
    return way ?? `${INTERACTION_PATH}/${interaction.uid}`;
  },
};

/** Fresh enough for whoever asks for somebody who has just signed in: they do it on the way here. */
const JUST_NOW_S = 60;

/** Notes that nobody is signed in where an authorization request comes from; `url` is the request's, as it was sent. */
export function noteStranger(raw: IncomingMessage, url: string): void {
  const back = new URL(url, 'http://here');
  // Both ask for a new sign-in, which this is.
  const prompts = back.searchParams.get('prompt')?.split(' ') ?? [];
  const others = prompts.filter((prompt) => prompt !== 'login');
  if (others.length < prompts.length) back.searchParams.set('prompt', others.join(' ') || 'consent');
  const maxAge = back.searchParams.get('max_age');
  if (maxAge !== null && Number(maxAge) < JUST_NOW_S) back.searchParams.set('max_age', String(JUST_NOW_S));
  waysIn.set(raw, signInPath(back.pathname + back.search));
}
