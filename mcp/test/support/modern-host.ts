/** A host of 2026-07-28 with raw JSON-RPC, which can also send what no library would. */
export const FORMS = { elicitation: { form: {} } };

export interface RpcAnswer {
  status: number;
  headers: Headers;
  result?: ToolResult & Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
}

interface ToolResult {
  resultType?: string;
  isError?: boolean;
  content?: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  inputRequests?: Record<string, { method: string; params: { message: string } }>;
  requestState?: string;
}

export interface Round {
  token: string;
  capabilities?: object;
  requestState?: unknown;
  inputResponses?: unknown;
}

let ids = 0;

/** A request as sent over HTTP. */
export function message(
  token: string | null,
  method: string,
  params: Record<string, unknown> = {},
  { capabilities = FORMS, meta, id = ++ids }: { capabilities?: object; meta?: object | undefined; id?: number } = {},
) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...meta,
  };
  const name = params['name'] ?? params['uri'];
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }),
  };
}

export async function rpc(
  url: string,
  token: string | null,
  method: string,
  params: Record<string, unknown> = {},
  capabilities: object = FORMS,
): Promise<RpcAnswer> {
  const response = await fetch(url, message(token, method, params, { capabilities }));
  const text = await response.text();
  const said = (text === '' ? {} : JSON.parse(text)) as Pick<RpcAnswer, 'result' | 'error'>;
  return { status: response.status, headers: response.headers, ...said };
}

/** One round of a tool call. */
export async function callTool(
  url: string,
  name: string,
  given: unknown,
  { token, capabilities, requestState, inputResponses }: Round,
): Promise<RpcAnswer> {
  const round = {
    ...(requestState !== undefined && { requestState }),
    ...(inputResponses !== undefined && { inputResponses }),
  };
  return await rpc(url, token, 'tools/call', { name, arguments: given, ...round }, capabilities);
}

export const yes = { confirm: { action: 'accept', content: { confirm: true } } };

/** The JSON of a failed call's text. */
export function failureOf({ result }: RpcAnswer): { code: string } & Record<string, unknown> {
  if (!result?.isError) throw new Error(`expected a failed call, got ${JSON.stringify(result)}`);
  return JSON.parse(result.content![0]!.text) as { code: string };
}
