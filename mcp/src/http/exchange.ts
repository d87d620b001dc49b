import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refuse, type McpEndpoint } from '../protocol/endpoint.js';

/** Passes a message to the endpoint and the answer to the host. */
export async function exchange(
  endpoint: McpEndpoint,
  { raw: { url, method, headers }, host, body, authInfo, refused }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { raw } = reply;
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  // Without its body, which is read already.
  const request = new Request(new URL(url!, `http://${host}`), {
    method: method!,
    headers: headers as Record<string, string>,
    signal: gone.signal,
  });
  const response = refused ? refuse(refused, body) : await endpoint.answer({ request, body, authInfo });
  reply.hijack();
  await send(response, reply);
  return reply;
}

/** The SDK's own function holds back the headers of a stream, and notices a lost reader only at the next event. */
async function send({ status, headers, body }: Response, reply: FastifyReply): Promise<void> {
  const { raw } = reply;
  // Whether a connection is kept is up to Node, which closes it when the process drains; the SDK always keeps it.
  if (headers.get('connection') === 'keep-alive') headers.delete('connection');
  raw.writeHead(status, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...Object.fromEntries(headers) });
  raw.flushHeaders();
  // A host may disconnect before the end of its answer.
  if (body) await pipeline(Readable.fromWeb(body), raw).catch(() => undefined);
  else raw.end();
}
