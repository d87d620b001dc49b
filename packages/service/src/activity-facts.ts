export interface Fact {
  name: string;
  from: string | null;
  to: string | null;
}

/** The named parts of a change as the audit trail keeps it: `{ role: { from, to } }`, `{ from: {…}, to: {…} }` or what is new. */
export function factsOf(change: unknown, names: readonly string[]): Fact[] {
  if (!isObject(change)) return [];
  return names.flatMap((name) => {
    const [from, to] = (isStep(change) ? [part(change.from, name), part(change.to, name)] : stepOf(change[name])).map(
      textOf,
    );
    return from === to ? [] : [{ name, from: from!, to: to! }];
  });
}

const stepOf = (value: unknown): [unknown, unknown] => (isStep(value) ? [value.from, value.to] : [null, value]);

const part = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : null);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isStep = (value: unknown): value is { from: unknown; to: unknown } =>
  isObject(value) && 'from' in value && 'to' in value;

/** Money as "12.50 EUR"; null for an absent value or an object without a text form. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (!isObject(value)) return typeof value === 'string' ? value : JSON.stringify(value);
  return 'amount' in value && 'currency' in value ? `${String(value['amount'])} ${String(value['currency'])}` : null;
}
