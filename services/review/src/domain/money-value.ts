/** An exact amount as it is stored and sent. */
export interface MoneyValue {
  /** Decimal string. */
  amount: string;
  currency: string;
}
