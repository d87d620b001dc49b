import { errorForLog, unavailable } from '@payroll/kernel';
import type { Msg, NatsConnection } from 'nats';
import type { Log } from './log.js';

/** What a handler made of a request, or that it could not: the caller never learns why. */
type Reply = { answer: unknown } | { error: 'unavailable' };

export type RequestHandler = (body: unknown) => Promise<unknown>;

/** @throws DomainError `SERVICE_UNAVAILABLE` whenever no answer comes, at once where nobody listens. */
export async function sendRequest(
  connection: NatsConnection,
  subject: string,
  body: unknown,
  timeoutMs: number,
): Promise<unknown> {
  const reply = await exchange(connection, subject, body, timeoutMs);
  if ('error' in reply) throw noAnswer();
  return reply.answer;
}

export function noAnswer(cause?: unknown): Error {
  return unavailable('A part of the service that the answer needs', cause);
}

async function exchange(connection: NatsConnection, subject: string, body: unknown, timeoutMs: number): Promise<Reply> {
  try {
    const message = await connection.request(subject, JSON.stringify(body), { timeout: timeoutMs });
    return message.json<Reply>();
  } catch (error) {
    throw noAnswer(error);
  }
}

/** Answers one request; never rejects. */
export async function replyTo(message: Msg, handler: RequestHandler, log: Log): Promise<void> {
  let reply: Reply;
  let body: unknown;
  try {
    body = message.json();
    reply = { answer: (await handler(body)) ?? null };
  } catch (error) {
    const about = { subject: message.subject, requestIds: requestIdsIn(body) };
    log.error({ ...about, error: errorForLog(error) }, 'A request could not be answered');
    reply = { error: 'unavailable' };
  }
  try {
    message.respond(JSON.stringify(reply));
  } catch (error) {
    // The connection went in the meantime: the caller has seen that too.
    log.warn({ subject: message.subject, error: errorForLog(error) }, 'An answer could not be sent');
  }
}

/** What is asked on behalf of requests names them, alone or in a batch: the log leads to each. */
function requestIdsIn(body: unknown): string[] {
  return [body].flat().flatMap((each) => {
    const { requestId } = (each ?? {}) as { requestId?: unknown };
    return typeof requestId === 'string' ? [requestId] : [];
  });
}
