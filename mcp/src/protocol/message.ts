import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { toWebRequest, type NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import type { AuthInfo } from '@modelcontextprotocol/server';

/** A message as HTTP brings it, of a caller who has passed admission. */
export interface HttpMessage {
  request: IncomingMessage;
  /** Its body; empty without one. */
  text: string;
  authInfo: AuthInfo;
  /** Aborted once nobody waits for the answer any more. */
  gone: AbortController;
}

/** An answer that is there all at once. The SDK gives a `Response` instead. */
interface WholeAnswer {
  headers: Readonly<Record<string, string>>;
  text: string;
}

export type Answer = Response | WholeAnswer;

/** In the form that the SDK takes. `body` is what the text says in JSON; undefined where the method has none. */
export async function webRequestOf({ request, gone: { signal } }: HttpMessage, body?: unknown): Promise<Request> {
  // Node types the method as optional; on a server it is always there.
  return await toWebRequest(request as NodeIncomingMessageLike, body, { signal });
}

export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
