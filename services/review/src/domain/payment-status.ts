export const PAYMENT_STATUSES = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const;

/** How far the payment of approved work is, as payments says. */
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];
