import { errorForLog, unavailable } from '@payroll/kernel';
import type { Log } from '@payroll/runtime';
import { errors, type Msg } from '@nats-io/transport-node';

/** The caller does not receive the cause of a failed request. */
export type Reply = { answer: unknown } | { error: 'unavailable' };

/** Why a request has no answer. */
export class NoReply extends Error {
  override readonly name = 'NoReply';

  constructor(readonly why: 'disconnected' | 'no_responders' | 'timeout' | 'failed') {
    super(`No reply: ${why}`);
  }
}

export type RequestHandler = (body: unknown) => Promise<unknown>;

export function noReplyError(cause?: unknown): Error {
  return unavailable('A part of the service that the answer needs', cause);
}

/** Why the client of NATS has thrown. */
export function whyNot(error: unknown): NoReply['why'] {
  if (error instanceof errors.RequestError && error.isNoResponders()) return 'no_responders';
  return error instanceof errors.TimeoutError ? 'timeout' : 'failed';
}

/** Why `request` has thrown. */
export function whyNoReply(error: unknown): NoReply['why'] {
  return error instanceof Error && error.cause instanceof NoReply ? error.cause.why : 'failed';
}

/** Answers one request; never rejects. */
export async function replyTo(message: Msg, handler: RequestHandler, log: Log): Promise<void> {
  let reply: Reply;
  try {
    reply = { answer: (await handler(message.json())) ?? null };
  } catch (error) {
    log.error({ subject: message.subject, error: errorForLog(error) }, 'A request could not be answered');
    reply = { error: 'unavailable' };
  }
  try {
    message.respond(JSON.stringify(reply));
  } catch (error) {
    // The connection was lost while the request was handled; the caller has noticed the loss as well.
    log.warn({ subject: message.subject, error: errorForLog(error) }, 'An answer could not be sent');
  }
}
