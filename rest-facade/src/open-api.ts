import { createHash } from 'node:crypto';
import { DomainError } from '@payroll/kernel';
import { createParameterReader, explain, NoQuery } from '@payroll/public-api';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from './openapi/document.js';
import type { QueryText } from './read-request.js';
import { JSON_TYPE } from './errors.js';

/** `GET /v1/openapi.json`: for everybody, made once, and cheap to ask for again. */
export function openApi(app: FastifyInstance, publicUrl: string): void {
  const body = Buffer.from(JSON.stringify(openApiDocument(publicUrl)));
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  app.get('/v1/openapi.json', async (request, reply) => {
    refuseParameters(request.query as QueryText);
    void reply.headers({ ETag: etag, 'Cache-Control': 'public, max-age=300' });
    if (isNamed(etag, request.headers['if-none-match'])) return await reply.code(304).send();
    return await reply.type(JSON_TYPE).send(body);
  });
}

const readQuery = createParameterReader(NoQuery);

function refuseParameters({ parameters, problems }: QueryText): void {
  const reading = readQuery(parameters);
  const details = [...problems, ...(reading.ok ? [] : reading.problems)];
  if (details.length === 0) return;
  throw new DomainError('INVALID_REQUEST', `The request is not valid: ${explain(NoQuery, details)}.`, { details });
}

/** RFC 9110 §13.1.2: one of a list, compared weakly; `*` is any copy at all. */
function isNamed(etag: string, ifNoneMatch = ''): boolean {
  const named = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return named.includes(etag) || named.includes('*');
}
