export interface MoneyValue {
  /** Exact decimal string. */
  amount: string;
  currency: string;
}
