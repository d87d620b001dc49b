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

async function elicit({ timeoutMs }: LegacyHost, context: ServerContext, message: string): Promise<ElicitResult> {
  const { signal } = context.mcpReq;
  try {
    // Old hosts know no other way.
    // oxlint-disable-next-line typescript/no-deprecated
    return await context.mcpReq.elicitInput(formOf(message), { timeout: timeoutMs, signal });
  } catch (error) {
    // A host that takes its call back looks like one that is late; either way a later answer finds nobody.
    if (signal.aborted) throw declined();
    if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
      throw ToolError.of('CONFIRMATION_EXPIRED', 'Nobody confirmed in time. Nothing was changed. Review again.');
    }
    throw ToolError.of('CONFIRMATION_UNSUPPORTED', 'The host could not ask a person to confirm. Nothing was changed.');
  }
}
