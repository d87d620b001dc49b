import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  SdkError,
  SdkErrorCode,
  type CallToolResult,
  type ClientCapabilities,
  type ElicitRequestFormParams,
  type ElicitResult,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { callerOf, requireScopes, type Caller } from '../caller.js';
import { ToolError } from '../tools/tool-error.js';
import type { Call, ReviewStates } from './review-state.js';

/** A write that a person is to confirm. */
interface Proposal extends Call {
  /** Reads what is decided about and words the question; `version` is what the person will have seen. */
  review: () => Promise<Review>;
}

export interface Review {
  message: string;
  version?: string;
}

type Decision =
  /** A person has said yes to this very proposal; the caller as of this moment, and the version that was shown. */
  | { kind: 'confirmed'; caller: Caller; version?: string }
  /** What the host is told instead: most often, to ask the person. */
  | { kind: 'answer'; result: CallToolResult | InputRequiredResult };

/**
 * Whether a person agrees. How a host is asked differs between the eras of the protocol; that nothing happens without a
 * yes does not.
 */
export interface Confirmation {
  /** @throws ToolError `CONFIRMATION_…` */
  decide(proposal: Proposal): Promise<Decision>;
}

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

interface LegacyHost {
  capabilities: ClientCapabilities | undefined;
  /** How long a person has for an answer. */
  timeoutMs: number;
  /** Who the caller is by now: a person may take longer than an assertion lasts, or a role be changed meanwhile. */
  readmit: () => Promise<Caller>;
}

/** Up to 2025-11-25: the server asks the host while the call is open. */
export function legacyConfirmation(host: LegacyHost, context: ServerContext): Confirmation {
  return {
    async decide({ tool, review }) {
      requireForms(host.capabilities);
      const { message, version } = await review();
      const { action, content } = await elicit(host, context, message);
      const answer = answerOf(action, content);
      // Old hosts get no second question within a call: an answer that is none is no yes.
      if (answer !== 'yes') throw declined();
      const caller = await host.readmit();
      requireScopes(caller.scopes, tool);
      return { kind: 'confirmed', caller, ...(version !== undefined && { version }) };
    },
  };
}

/** Asks on the stream of the call: no other is sure to be there. */
async function elicit(host: LegacyHost, { mcpReq, http }: ServerContext, message: string): Promise<ElicitResult> {
  const { id: relatedRequestId } = mcpReq;
  const signal = AbortSignal.any([mcpReq.signal, ...(http?.req ? [http.req.signal] : [])]);
  try {
    // Old hosts know no other way.
    // oxlint-disable-next-line typescript/no-deprecated
    return await mcpReq.elicitInput(formOf(message), { relatedRequestId, timeout: host.timeoutMs, signal });
  } catch (error) {
    // The host has taken its call back, or is gone: a later answer finds nobody.
    if (signal.aborted) throw declined();
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
      throw ToolError.of(
        'CONFIRMATION_EXPIRED',
        'Nobody confirmed in time. Nothing was changed. Start a fresh review: call the tool again.',
      );
    }
    throw ToolError.of('CONFIRMATION_UNSUPPORTED', 'The host could not ask a person to confirm. Nothing was changed.');
  }
}

/** Names the question in a request and its answer. */
const QUESTION = 'confirm';

/** The dialogue that a host shows: the text, and one box that starts empty. */
function formOf(message: string): ElicitRequestFormParams {
  return {
    mode: 'form',
    message,
    requestedSchema: {
      type: 'object',
      properties: { confirm: { type: 'boolean', title: 'I confirm this', default: false } },
      required: ['confirm'],
    },
  };
}

/** @throws ToolError `CONFIRMATION_UNSUPPORTED` for a host that cannot show a form to a person. */
function requireForms(capabilities: ClientCapabilities | undefined): void {
  const { elicitation } = capabilities ?? {};
  // A host that names no mode means forms: there was nothing else when it was written.
  if (elicitation && (elicitation.form !== undefined || elicitation.url === undefined)) return;
  throw ToolError.of(
    'CONFIRMATION_UNSUPPORTED',
    'This host cannot ask a person to confirm, so it can read but not write. Make the change in the application.',
  );
}

/** What a person has answered; null where it is no answer to our question. */
function answerOf(action: 'accept' | 'decline' | 'cancel', content: unknown): 'yes' | 'no' | null {
  if (action !== 'accept') return 'no';
  const confirm = (content as { confirm?: unknown } | undefined)?.confirm;
  if (typeof confirm !== 'boolean') return null;
  return confirm ? 'yes' : 'no';
}

function declined(): ToolError {
  return ToolError.of('CONFIRMATION_DECLINED', 'The person did not confirm. Nothing was changed.');
}
