import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type ClientCapabilities,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { callerOf } from '../caller.js';
import type { Confirmation, Decision, Proposal } from './confirmation.js';
import { answerOf, declined, formOf, QUESTION, requireForms } from './form.js';
import type { ReviewStates } from './review-state.js';

/** Since 2026-07-28: the call ends with a question, and comes again with its answer and the signed state. */
export function modernConfirmation(states: ReviewStates, context: ServerContext): Confirmation {
  const ask = async (proposal: Proposal): Promise<Decision> => {
    const { message, version } = await proposal.review();
    const result: InputRequiredResult = inputRequired({
      inputRequests: { [QUESTION]: inputRequired.elicit(formOf(message)) },
      requestState: await states.seal(proposal, version, context),
    });
    return { kind: 'answer', result };
  };
  return {
    async decide(proposal) {
      requireForms(capabilitiesOf(context));
      const { requestState, inputResponses } = context.mcpReq;
      const state = requestState<string>();
      // An answer without a state answers a question that nobody has asked.
      if (state === undefined) return await ask(proposal);
      const version = await states.open(state, proposal, context);
      const response = inputResponse(inputResponses, QUESTION);
      const answer = response.kind === 'elicit' ? answerOf(response.action, response.content) : null;
      if (answer === null) return await ask(proposal);
      if (answer === 'no') throw declined();
      return { kind: 'confirmed', caller: callerOf(context), ...(version !== undefined && { version }) };
    },
  };
}

/** What this very request says that its host can do; the SDK has checked it, and types the envelope as empty. */
function capabilitiesOf({ mcpReq: { envelope } }: ServerContext): ClientCapabilities | undefined {
  return (envelope as Record<string, ClientCapabilities> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
}
