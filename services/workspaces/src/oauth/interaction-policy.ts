import { interactionPolicy } from 'oidc-provider';

/**
 * Every authorization is looked at by a person who is signed in: what an earlier one consented to lets no later one
 * pass unseen, as a public client cannot prove that it is the same (RFC 6749 §10.2, RFC 9700 §4.14).
 */
export function createInteractionPolicy() {
  const { Check, Prompt } = interactionPolicy;
  const unseen = new Check('unseen', 'somebody has to look at this request', 'interaction_required', (ctx) =>
    ctx.oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
  );
  return [new Prompt({ name: 'login', requestable: true }), new Prompt({ name: 'consent', requestable: true }, unseen)];
}
