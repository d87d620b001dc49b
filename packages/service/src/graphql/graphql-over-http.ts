import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRequest, type Answer } from './answer.js';
import type { AnswerError } from './format-error.js';

const RESPONSE = 'application/graphql-response+json';

const STATUS: Readonly<Partial<Record<AnswerError['extensions']['code'], number>>> = {
  INVALID_CREDENTIAL: 401,
  INVALID_REQUEST: 400,
  INSUFFICIENT_SCOPE: 403,
  SERVICE_UNAVAILABLE: 503,
};

/** GraphQL over HTTP for federation tools and other routers. The bearer token is the caller's actor token (ADR 07). */
export async function answerOverHttp(
  answerTo: (element: unknown) => Promise<Answer>,
  { body, headers: { authorization, accept, traceparent } }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const token = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
  const isForm = isRequest(body);
  const answer = await answerTo(isForm ? { ...body, extensions: { token, traceparent } } : body);
  const isNew = accept?.includes(RESPONSE) ?? false;
  const status = answer.data !== undefined ? 200 : statusOfRefusal(answer, isNew || !isForm);
  return reply
    .code(status)
    .type(`${isNew ? RESPONSE : 'application/json'}; charset=utf-8`)
    .send(answer);
}

/** With `application/json` a GraphQL error is a 200 (GraphQL over HTTP, appendix): routers do not read other bodies. */
function statusOfRefusal({ errors = [] }: Answer, isToBeSeen: boolean): number {
  const status = errors.map(({ extensions: { code } }) => STATUS[code] ?? 500)[0] ?? 500;
  return isToBeSeen || status === 401 ? status : 200;
}
