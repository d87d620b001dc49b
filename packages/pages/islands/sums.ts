/** An exact decimal, such as "1500.00". */
interface Amount {
  amount: string;
  currency: string;
}

/** "1,500.00 EUR", one for each currency in the order of their codes, exact. */
export function sumsOf(amounts: readonly Amount[]): string[] {
  const byCurrency = Map.groupBy(amounts, ({ currency }) => currency);
  return [...byCurrency.keys()]
    .toSorted()
    .map((currency) => `${sumOf(byCurrency.get(currency)!.map(({ amount }) => amount))} ${currency}`);
}

/** In whole smallest units: a floating-point number would round. */
function sumOf(amounts: readonly string[]): string {
  const scale = Math.max(...amounts.map((amount) => decimalsOf(amount).length));
  const units = amounts.map((amount) =>
    BigInt(amount.replace('.', '') + '0'.repeat(scale - decimalsOf(amount).length)),
  );
  const digits = String(units.reduce((sum, each) => sum + each)).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return scale === 0 ? whole : `${whole}.${digits.slice(-scale)}`;
}

function decimalsOf(amount: string): string {
  return amount.split('.')[1] ?? '';
}
