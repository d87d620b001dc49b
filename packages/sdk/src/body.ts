/** The properties of a draft that are decimals. In JSON they are numbers, and JavaScript's are not exact. */
const DECIMALS = [
  'rate',
  'annualSalary',
  'retainerAmount',
  'signingBonus',
  'firstPaymentAmount',
  'bonusAmount',
  'allowanceAmount',
  'commissionPercentage',
  'amount',
] as const;

export type DecimalKey = (typeof DECIMALS)[number];

const isDecimalKey = (key: string): key is DecimalKey => (DECIMALS as readonly string[]).includes(key);
const DECIMAL = /^(0|[1-9]\d*)(\.\d+)?$/;

/**
 * JSON in which a decimal that was given as a string is a number, with the very digits of the string.
 * @throws TypeError when such a string is no decimal, or a number is none (`NaN`): before anything is sent.
 */
export function writeBody(value: unknown, path = ''): string {
  if (Array.isArray(value)) return `[${value.map((each, n) => writeBody(each, `${path}[${n}]`)).join(',')}]`;
  if (typeof value === 'object' && value !== null) return writeObject(value, path);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${path} is no number: ${value}`);
  return JSON.stringify(value ?? null);
}

function writeObject(value: object, path: string): string {
  const members = Object.entries(value).flatMap(([key, each]: [string, unknown]) => {
    if (each === undefined) return [];
    const at = path === '' ? key : `${path}.${key}`;
    return `${JSON.stringify(key)}:${isDecimalKey(key) ? writeDecimal(each, at) : writeBody(each, at)}`;
  });
  return `{${members.join(',')}}`;
}

function writeDecimal(value: unknown, path: string): string {
  if (typeof value !== 'string') return writeBody(value, path);
  if (!DECIMAL.test(value))
    throw new TypeError(`${path} has to be a decimal such as "85.10", and is ${JSON.stringify(value)}`);
  return value;
}
