/** Bars for amounts of one currency, the largest as tall as there is room: the amounts themselves are never rounded. */
export function heights(amounts: readonly string[], room: number): number[] {
  const digits = Math.max(0, ...amounts.map((amount) => decimalsOf(amount).length));
  const units = amounts.map((amount) => BigInt(wholeOf(amount) + decimalsOf(amount).padEnd(digits, '0')));
  const largest = units.reduce((most, each) => (each > most ? each : most), 0n);
  // A tenth of a drawing unit is finer than the eye can see.
  return units.map((each) => (largest === 0n ? 0 : Number((each * BigInt(room * 10)) / largest) / 10));
}

function wholeOf(amount: string): string {
  return amount.split('.')[0]!;
}

function decimalsOf(amount: string): string {
  return amount.split('.')[1] ?? '';
}
