import { ProtocolError, ProtocolErrorCode, type McpServer } from '@modelcontextprotocol/server';
import { callerOf, mayRead } from '../caller.js';
import type { FacadeClient } from '../facade/facade-client.js';
import { ToolError } from '../tools/tool-error.js';
import { notThere } from './rpc-error.js';

const URI = 'service://business';

/** The workspace as something a host can attach to a conversation, for those who may read. */
export function addBusinessResource({ server }: McpServer, facade: FacadeClient): void {
  server.setRequestHandler('resources/list', (_request, context) => ({
    resources: mayRead(context)
      ? [
          {
            uri: URI,
            name: 'business',
            title: 'The workspace',
            description: 'The employer whose data this connection reads.',
            mimeType: 'application/json',
          },
        ]
      : [],
  }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    if (uri !== URI || !mayRead(context)) throw notThere(`There is no resource ${JSON.stringify(uri)}.`, { uri });
    try {
      const { assertion } = callerOf(context);
      const { text } = await facade.call({ operation: 'getBusiness', assertion, signal: context.mcpReq.signal });
      return { contents: [{ uri, mimeType: 'application/json', text }] };
    } catch (error) {
      const { failure } = ToolError.from(error);
      throw new ProtocolError(ProtocolErrorCode.InternalError, failure.message, failure);
    }
  });
}
