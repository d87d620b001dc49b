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

/**
 * One request of one caller as GraphQL over HTTP has it, whose actor token is the bearer token (ADR 0033): what federation
 * tools and other routers send.
 */
export async function answerOverHttp(
  answerTo: (element: unknown) => Promise<Answer>,
  { body, headers: { authorization, accept, traceparent } }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const token = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
  const isForm = isRequest(body);
  const answer = await answerTo(isForm ? { ...body, token, traceparent } : body);
  const isNew = accept?.includes(RESPONSE) ?? false;
  const status = answer.data !== undefined ? 200 : statusOfRefusal(answer, isNew || !isForm);
  return reply
    .code(status)
    .type(`${isNew ? RESPONSE : 'application/json'}; charset=utf-8`)
    .send(answer);
}

/** `application/json` has 200 for all that GraphQL itself refuses: routers look into the body of no other answer. */
function statusOfRefusal({ errors = [] }: Answer, isToBeSeen: boolean): number {
  const status = errors.map(({ extensions: { code } }) => STATUS[code] ?? 500)[0] ?? 500;
  return isToBeSeen || status === 401 ? status : 200;
}
