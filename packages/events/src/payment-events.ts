import { PAYMENT_SOURCES, type PaymentStatus } from '@payroll/kernel';
import { Type } from 'typebox';
import { defineEvent } from './define-event.js';
import { id, revision } from './fields.js';

/** What became of a payment, told to review, which owns the work it pays for. */
export const paymentCreated = paymentEvent('pending');
export const paymentProcessing = paymentEvent('processing');
export const paymentCompleted = paymentEvent('completed');
export const paymentFailed = paymentEvent('failed');
export const paymentCancelled = paymentEvent('cancelled');

function paymentEvent<const Status extends PaymentStatus>(status: Status) {
  return defineEvent({
    publisher: 'payments',
    consumers: ['review'],
    body: Type.Object({
      paymentId: id,
      sourceType: Type.Enum(PAYMENT_SOURCES),
      sourceId: id,
      /** Counts the events of this payment; review ignores lower ones than it has seen. */
      sequence: revision,
      status: Type.Literal(status),
    }),
  });
}
