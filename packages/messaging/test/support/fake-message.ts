import { newEvent } from '@payroll/events';
import { newId } from '@payroll/kernel';
import type { JsMsg } from 'nats';

/** As a publisher sends it. */
export function eventOf(sequence = 1, workspaceId = newId()) {
  const paymentId = newId();
  const body = { paymentId, sourceType: 'timesheet', sourceId: paymentId, sequence, status: 'pending' } as const;
  const { type } = newEvent('payment.created', paymentId, body);
  const occurredAt = '2026-03-01T12:00:00.000000Z';
  return { id: newId(), type, workspaceId, aboutId: paymentId, occurredAt, requestId: 'req_1', body };
}

interface Delivered {
  history?: string | null;
  traceparent?: string;
  sequence?: number;
  pending?: number;
  redeliveries?: number;
}

/** A message that keeps what it was answered with. */
export function messageOf(
  content: unknown,
  { history = 'here', traceparent, sequence = 1, pending = 0, redeliveries = 1 }: Delivered = {},
) {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const headers = new Map(Object.entries({ 'Payroll-History': history ?? '', traceparent: traceparent ?? '' }));
  const answers: string[] = [];
  const message = {
    seq: sequence,
    headers,
    info: { pending, redeliveryCount: redeliveries },
    json: () => JSON.parse(text) as unknown,
    string: () => text,
    ack: () => void answers.push('ack'),
    nak: (ms: number) => void answers.push(ms < 1_000 ? 'soon' : 'later'),
  };
  return { message: message as unknown as JsMsg, answers };
}
