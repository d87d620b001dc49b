import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { McpEndpoint } from '../protocol/endpoint.js';

/** Passes a message to the endpoint and the answer to the host. */
export async function exchange(
  endpoint: McpEndpoint,
  { raw: request, body, authInfo, refused }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const gone = new AbortController();
  const { raw } = reply;
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  const text = typeof body === 'string' ? body : '';
  const answer = refused
    ? endpoint.refuse(refused, { request, text })
    : await endpoint.answer({ request, text, authInfo, gone });
  reply.hijack();
  const ownHeaders = reply.getHeaders() as OutgoingHttpHeaders;
  if (answer instanceof Response) await send(answer, raw, ownHeaders);
  else {
    const headers = { ...ownHeaders, ...answer.headers, 'content-length': Buffer.byteLength(answer.text) };
    // Without Fastify, which would add a charset.
    raw.writeHead(200, headers).end(answer.text);
  }
  return reply;
}

/** The SDK's own function holds back the headers of a stream, and notices a lost reader only at the next event. */
async function send(
  { status, headers, body }: Response,
  response: ServerResponse,
  ownHeaders: OutgoingHttpHeaders,
): Promise<void> {
  // Whether a connection is kept is up to Node, which closes it when the process drains; the SDK always keeps it.
  if (headers.get('connection') === 'keep-alive') headers.delete('connection');
  response.writeHead(status, { ...ownHeaders, ...Object.fromEntries(headers) });
  if (!body) {
    response.end();
    return;
  }
  response.flushHeaders();
  // A host may disconnect before the end of its answer.
  await pipeline(Readable.fromWeb(body), response).catch(() => undefined);
}
