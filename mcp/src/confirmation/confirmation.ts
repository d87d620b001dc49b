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
import { declined, type Call, type ReviewStates } from './review-state.js';

interface Proposal extends Call {
  /** The page on which a person can do it without the host. */
  page: string;
  /** Reads the resource and words the question; `version` is the one that the person is shown. */
  review: () => Promise<Review>;
}

export interface Review {
  message: string;
  version?: string;
}

type Decision =
  /** A person confirmed this proposal; `caller` is admitted again, `version` is the one that was shown. */
  | { kind: 'confirmed'; caller: Caller; version: string | undefined }
  /** The host gets this result instead, most often a question for the person. */
  | { kind: 'answer'; result: CallToolResult | InputRequiredResult };

/** Asks a person: nothing happens without a yes. @throws ToolError `CONFIRMATION_…` */
export type Confirmation = (proposal: Proposal) => Promise<Decision>;

/** Since 2026-07-28: the call ends with a question, and the host repeats it with the answer and the signed state. */
export function modernConfirmation(states: ReviewStates, context: ServerContext): Confirmation {
  const ask = async (proposal: Proposal): Promise<Decision> => {
    const { message, version } = await proposal.review();
    const result: InputRequiredResult = inputRequired({
      inputRequests: { [QUESTION]: inputRequired.elicit(formOf(message)) },
      requestState: await states.seal(proposal, version, context),
    });
    return { kind: 'answer', result };
  };
  return async (proposal) => {
    requireForms(capabilitiesOf(context), proposal);
    const { requestState, inputResponses } = context.mcpReq;
    const state = requestState<string>();
    // No state: the person has not been asked yet. Ignore any answer in the request.
    if (state === undefined) return await ask(proposal);
    const reviewed = await states.open(state, proposal, context);
    const response = inputResponse(inputResponses, QUESTION);
    const answer = response.kind === 'elicit' ? answerOf(response.action, response.content) : null;
    if (answer === null) return await ask(proposal);
    states.settle(reviewed, answer);
    return { kind: 'confirmed', caller: callerOf(context), version: reviewed.version };
  };
}

/** The capabilities in this request's envelope, which the SDK has checked and types as empty. */
function capabilitiesOf({ mcpReq: { envelope } }: ServerContext): ClientCapabilities | undefined {
  return (envelope as Record<string, ClientCapabilities> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
}

interface LegacyHost {
  capabilities: ClientCapabilities | undefined;
  timeoutMs: number;
  /** While the person decides, the assertion may expire and the role may change. */
  readmit: () => Promise<Caller>;
}

/** Up to 2025-11-25: the server asks the host while the call is open. */
export function legacyConfirmation(host: LegacyHost, context: ServerContext): Confirmation {
  return async (proposal) => {
    requireForms(host.capabilities, proposal);
    const { message, version } = await proposal.review();
    const { action, content } = await elicit(host, context, message, proposal);
    // Old hosts are not asked twice within a call: a malformed answer counts as no.
    if (answerOf(action, content) !== 'yes') throw declined();
    const caller = await host.readmit();
    requireScopes(caller.scopes, proposal.tool);
    return { kind: 'confirmed', caller, version };
  };
}

/** Asks on the stream of the call, the only one that is surely open. */
async function elicit(
  host: LegacyHost,
  { mcpReq, http }: ServerContext,
  message: string,
  proposal: Proposal,
): Promise<ElicitResult> {
  const signal = AbortSignal.any([mcpReq.signal, ...(http?.req ? [http.req.signal] : [])]);
  try {
    // `elicitInput` would throw for a malformed answer, as if the host could not ask.
    const question = { method: 'elicitation/create' as const, params: { ...formOf(message) } };
    return await mcpReq.send(question, { timeout: host.timeoutMs, signal });
  } catch (error) {
    // The host cancelled the call or disconnected: a later answer could not be delivered.
    if (signal.aborted) throw declined();
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
      throw ToolError.of(
        'CONFIRMATION_EXPIRED',
        'Nobody confirmed in time. Nothing was changed. Start a fresh review: call the tool again.',
      );
    }
    throw unsupported('The host could not ask a person to confirm. Nothing was changed.', proposal);
  }
}

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
function requireForms(capabilities: ClientCapabilities | undefined, proposal: Proposal): void {
  const { elicitation } = capabilities ?? {};
  // A host that names no mode means forms, which were the only mode at first.
  if (elicitation && (elicitation.form !== undefined || elicitation.url === undefined)) return;
  throw unsupported('This host cannot ask a person to confirm, so it can read but not write.', proposal);
}

/** If the host cannot show a confirmation, the error links to the page where a person can decide. */
function unsupported(why: string, { page }: Proposal): ToolError {
  return ToolError.of('CONFIRMATION_UNSUPPORTED', `${why} Make the change in the application: ${page}`);
}

/** The person's answer; null for a malformed one. */
function answerOf(action: 'accept' | 'decline' | 'cancel', content: unknown): 'yes' | 'no' | null {
  if (action !== 'accept') return 'no';
  const confirm = (content as { confirm?: unknown } | undefined)?.confirm;
  if (typeof confirm !== 'boolean') return null;
  return confirm ? 'yes' : 'no';
}
