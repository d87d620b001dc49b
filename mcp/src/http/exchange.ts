import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { toWebRequest, type NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { McpEndpoint } from '../protocol/endpoint.js';
import { refusalOf, rpcError } from '../protocol/own-words.js';

/** The body of a call is small: its arguments fit what `/v1` takes. */
const MAX_BODY_BYTES = 1_048_576;

/** Passes a message to the endpoint and the answer to the host. The message's signal aborts when the host disconnects. */
export async function exchange(
  endpoint: McpEndpoint,
  authInfo: AuthInfo,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const answer = await answerTo(endpoint, authInfo, request.raw, gone.signal);
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value as string);
  await send(answer, reply.raw);
  return reply;
}

async function answerTo(
  endpoint: McpEndpoint,
  authInfo: AuthInfo,
  request: IncomingMessage,
  signal: AbortSignal,
): Promise<Response> {
  let message: Request;
  try {
    // Node types the method as optional; on a server it is always there.
    const like = request as NodeIncomingMessageLike;
    message = await toWebRequest(like, undefined, { signal, maxRequestBodySize: MAX_BODY_BYTES });
  } catch (error) {
    if ((error as Error).name !== 'RequestBodyTooLargeError') throw error;
    const refusal = refusalOf('PAYLOAD_TOO_LARGE', 'The body is larger than 1 MiB.');
    return rpcError(413, refusal, { connection: 'close' });
  }
  return await endpoint.fetch(message, { authInfo });
}

/** The SDK's own function holds back the headers of a stream, and notices a lost reader only at the next event. */
async function send({ status, headers, body }: Response, response: ServerResponse): Promise<void> {
  // Whether a connection is kept is up to Node, which closes it when the process drains; the SDK always keeps it.
  if (headers.get('connection') === 'keep-alive') headers.delete('connection');
  response.writeHead(status, Object.fromEntries(headers));
  if (!body) {
    response.end();
    return;
  }
  response.flushHeaders();
  // A host may disconnect before the end of its answer.
  await pipeline(Readable.fromWeb(body), response).catch(() => undefined);
}
