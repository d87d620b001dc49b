import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/** How a person answers the dialogue that a host shows. */
type Person = (message: string) => PersonsAnswer | Promise<PersonsAnswer>;

type PersonsAnswer = { action: 'accept'; content: { confirm: boolean } } | { action: 'decline' | 'cancel' };

export const YES: PersonsAnswer = { action: 'accept', content: { confirm: true } };
export const NO: PersonsAnswer = { action: 'decline' };

export interface ToolResult {
  isError?: boolean;
  content: { text: string }[];
  structuredContent?: Record<string, unknown>;
}

/** An assistant, with a person to ask or without one. */
interface Host extends AsyncDisposable {
  tools: () => Promise<string[]>;
  call: (name: string, given: Record<string, unknown>) => Promise<ToolResult>;
  business: () => Promise<unknown>;
  review: () => Promise<unknown>;
}

export type ConnectHost = (url: string, token: string, person?: Person) => Promise<Host>;

const IMPLEMENTATION = { name: 'assistant', version: '1.0.0' };

const bearer = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });

/** Speaks 2026-07-28 only. */
export const modernHost: ConnectHost = async (url, token, person) => {
  const client = new ModernClient(IMPLEMENTATION, {
    capabilities: person ? { elicitation: { form: {} } } : {},
    versionNegotiation: { mode: { pin: '2026-07-28' } },
  });
  if (person) client.setRequestHandler('elicitation/create', ({ params }) => person(params.message));
  await client.connect(new ModernTransport(new URL(url), bearer(token)));
  return hostOf(client);
};

/** Speaks the revisions up to 2025-11-25, with the SDK of that time. */
export const oldHost: ConnectHost = async (url, token, person) => await connectOld(url, person, bearer(token));

/** The same without a stream apart from those of its calls: the revisions leave that stream to the host. */
export const oldHostOfCallsAlone: ConnectHost = async (url, token, person) =>
  await connectOld(url, person, {
    ...bearer(token),
    fetch: async (to, init) => (init?.method === 'GET' ? new Response(null, { status: 405 }) : await fetch(to, init)),
  });

async function connectOld(
  url: string,
  person: Person | undefined,
  options: ConstructorParameters<typeof OldTransport>[1],
): Promise<Host> {
  const client = new OldClient(IMPLEMENTATION, { capabilities: person ? { elicitation: {} } : {} });
  if (person) client.setRequestHandler(ElicitRequestSchema, ({ params }) => person(params.message));
  const transport = new OldTransport(new URL(url), options);
  // Cast: the SDK's own transport is not assignable to its interface under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<OldClient['connect']>[0]);
  return hostOf(client);
}

function hostOf(client: ModernClient | OldClient): Host {
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, given) => (await client.callTool({ name, arguments: given })) as ToolResult,
    business: async () => {
      const { contents } = await client.readResource({ uri: 'service://business' });
      return JSON.parse((contents[0] as { text: string }).text) as unknown;
    },
    review: async () => (await client.getPrompt({ name: 'payroll_review' })).messages[0]?.content,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** The code of a failed call. */
export function codeOf({ isError, content }: ToolResult): string {
  if (!isError) throw new Error(`expected a failed call, got ${JSON.stringify(content)}`);
  return (JSON.parse(content[0]!.text) as { code: string }).code;
}
