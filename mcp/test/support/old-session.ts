import { TIMESHEET_ID } from './fake-facade.js';

// A host of 2025-11-25 with raw HTTP and no stream apart from those of its calls: a session need not have one.

interface Message {
  id?: number;
  method?: string;
  params?: { message: string };
  result?: { isError?: boolean; content: { text: string }[] };
  error?: { code: number; message: string; data?: unknown };
}

/** The stream that answers one call. */
interface Call {
  /** The next message on it; undefined once it has ended. */
  next: () => Promise<Message | undefined>;
  /** Ends the connection of the call, as a host does when it is closed. */
  cut: () => void;
}

export type OldSession = Awaited<ReturnType<typeof openSession>>;

export const APPROVE = { name: 'approve_timesheet', arguments: { id: TIMESHEET_ID, intentId: 'intent-0123456789' } };

/** With the token `ada`, of a host that can ask a person. */
export async function openSession(url: string) {
  let id = 0;
  const headers: Record<string, string> = {
    authorization: 'Bearer ada',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const post = async (message: object, signal?: AbortSignal): Promise<Response> => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    return await fetch(url, { method: 'POST', headers, body, ...(signal && { signal }) });
  };
  const call = async (method: string, params: object): Promise<Call> => {
    const cutting = new AbortController();
    const response = await post({ id: ++id, method, params }, cutting.signal);
    const messages = messagesOf(response.body!);
    return { next: async () => (await messages.next()).value, cut: () => cutting.abort() };
  };
  const clientInfo = { name: 'raw', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo };
  const begin = { id: ++id, method: 'initialize', params };
  const begun = await post(begin);
  const session = { begun: (await messagesOf(begun.body!).next()).value, headers, post, call };
  headers['mcp-session-id'] = begun.headers.get('mcp-session-id')!;
  headers['mcp-protocol-version'] = '2025-11-25';
  await post({ method: 'notifications/initialized' });
  return {
    ...session,
    /** Calls a tool. */
    use: (tool: object): Promise<Call> => call('tools/call', tool),
    /** The person's answer to a question. */
    answer: (question: Message | undefined, result: object): Promise<Response> => post({ id: question?.id, result }),
    /** The stream that a host may hold in addition to its calls. */
    listen: (signal: AbortSignal): Promise<Response> =>
      fetch(url, { headers: { ...headers, accept: 'text/event-stream' }, signal }),
  };
}

export const YES = { action: 'accept', content: { confirm: true } };

async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Message, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const events = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = events.pop()!;
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) yield JSON.parse(data) as Message;
    }
  }
  return undefined;
}
