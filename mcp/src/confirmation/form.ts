import type { ClientCapabilities, ElicitRequestFormParams } from '@modelcontextprotocol/server';
import { ToolError } from '../tools/tool-error.js';

/** Names the question in a request and its answer. */
export const QUESTION = 'confirm';

/** The dialogue that a host shows: the text, and one box that starts empty. */
export function formOf(message: string): ElicitRequestFormParams {
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
export function requireForms(capabilities: ClientCapabilities | undefined): void {
  const { elicitation } = capabilities ?? {};
  // A host that names no mode means forms: there was nothing else when it was written.
  if (elicitation && (elicitation.form !== undefined || elicitation.url === undefined)) return;
  throw ToolError.of(
    'CONFIRMATION_UNSUPPORTED',
    'This host cannot ask a person to confirm, so it can read but not write. Make the change in the application.',
  );
}

/** What a person has answered; null where it is no answer to our question. */
export function answerOf(action: 'accept' | 'decline' | 'cancel', content: unknown): 'yes' | 'no' | null {
  if (action !== 'accept') return 'no';
  const confirm = (content as { confirm?: unknown } | undefined)?.confirm;
  if (typeof confirm !== 'boolean') return null;
  return confirm ? 'yes' : 'no';
}

export function declined(): ToolError {
  return ToolError.of('CONFIRMATION_DECLINED', 'The person did not confirm. Nothing was changed.');
}
