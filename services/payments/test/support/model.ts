/** Decimal places; the model's amounts are integers of the smallest unit. */
export const EXPONENTS = { EUR: 2, JPY: 0, USDC: 6 } as const;
export type Currency = keyof typeof EXPONENTS;

export type Script =
  | 'sandbox:iban'
  | 'sandbox:declines'
  | 'sandbox:declines-once'
  | 'sandbox:settles-later'
  | 'sandbox:times-out'
  | 'sandbox:answer-lost'
  | 'sandbox:order-lost'
  | 'unverified'
  | 'missing';

/** How many polls it takes until the answer is final. */
const ASKS: Partial<Record<Script, number>> = {
  'sandbox:settles-later': 2,
  'sandbox:times-out': 2,
  'sandbox:answer-lost': 2,
  'sandbox:order-lost': 2,
};

export interface ModelPayment {
  id: string;
  /** Ordered by day, then by creation. */
  day: string;
  autoPay: boolean;
  currency: Currency;
  script: Script;
  gross: bigint;
  deductions: bigint[];
  status: 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled';
  reason: string | null;
  attempts: number;
  /** Polls of the attempt in progress. */
  asked: number;
}

/** The expected outcome of payments, without a database, a provider or a clock. */
export class Model {
  readonly payments: ModelPayment[] = [];
  readonly available = new Map<Currency, bigint>();
  readonly funded = new Map<Currency, bigint>();
  businessVerified = true;

  fund(currency: Currency, units: bigint): void {
    this.available.set(currency, (this.available.get(currency) ?? 0n) + units);
    this.funded.set(currency, (this.funded.get(currency) ?? 0n) + units);
  }

  /** A round of the job on this day. */
  round(today: string): void {
    const due = this.payments.filter(({ status, autoPay, day }) => status === 'pending' && autoPay && day <= today);
    for (const payment of due.toSorted((a, b) => (a.day === b.day ? 0 : a.day < b.day ? -1 : 1))) this.process(payment);
    for (const payment of this.payments) if (payment.status === 'processing') this.ask(payment);
  }

  process(payment: ModelPayment): void {
    const net = netOf(payment);
    const available = this.available.get(payment.currency) ?? 0n;
    payment.reason = net === 0n ? null : this.obstacle(payment, available < net);
    if (net === 0n) payment.status = 'completed';
    else if (payment.reason !== null) payment.status = 'failed';
    else {
      payment.status = 'processing';
      payment.attempts += 1;
      payment.asked = 0;
      this.available.set(payment.currency, available - net);
    }
  }

  private obstacle({ script }: ModelPayment, tooMuch: boolean): string | null {
    if (script === 'missing') return 'payee_missing';
    if (script === 'unverified') return 'payee_unverified';
    if (!this.businessVerified) return 'business_unverified';
    return tooMuch ? 'insufficient_funds' : null;
  }

  private ask(payment: ModelPayment): void {
    const { script, currency } = payment;
    payment.asked += 1;
    if (payment.asked < (ASKS[script] ?? 1)) return;
    if (script === 'sandbox:declines' || (script === 'sandbox:declines-once' && payment.attempts === 1)) {
      payment.status = 'failed';
      payment.reason = 'provider_declined';
      this.available.set(currency, this.available.get(currency)! + netOf(payment));
    } else payment.status = 'completed';
  }
}

export function netOf({ gross, deductions }: ModelPayment): bigint {
  return deductions.reduce((left, units) => left - units, gross);
}

/** Formats an integer amount as the API shows it. */
export function show(units: bigint, currency: Currency): string {
  const exponent = EXPONENTS[currency];
  const digits = (units < 0n ? -units : units).toString().padStart(exponent + 1, '0');
  const sign = units < 0n ? '-' : '';
  return exponent === 0 ? sign + digits : `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}
