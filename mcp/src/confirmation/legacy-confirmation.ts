import {
  SdkError,
  SdkErrorCode,
  type ClientCapabilities,
  type ElicitResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Caller } from '../caller.js';
import { requireScopes } from '../tools/scopes.js';
import { ToolError } from '../tools/tool-error.js';
import type { Confirmation } from './confirmation.js';
import { answerOf, declined, formOf, requireForms } from './form.js';

export interface LegacyHost {
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
