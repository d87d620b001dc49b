import fc from 'fast-check';
import type { ContractDocument, Schema } from '../support/document.js';

type Values = fc.Arbitrary<unknown>;

/** Values that a schema of the document accepts, with its bounds more often than at random. */
export function valuesOf(document: ContractDocument, schema: Schema): Values {
  const { oneOf, anyOf, enum: words, type } = document.resolve<Schema>(schema);
  const alternatives = oneOf ?? anyOf;
  if (alternatives) return fc.oneof(...alternatives.map((each) => valuesOf(document, each)));
  if (words) return fc.constantFrom(...words);
  return fc.oneof(...[type ?? 'null'].flat().map((each) => ofType(each, document, document.resolve<Schema>(schema))));
}

function ofType(type: string, document: ContractDocument, schema: Schema): Values {
  switch (type) {
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 2_147_483_647 });
    case 'number':
      return amountsOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valuesOf(document, schema.items ?? {}), { maxLength: 3 });
    case 'object':
      return objectsOf(document, schema);
    default:
      throw new Error(`the document has a type that this generator does not know: ${type}`);
  }
}

function objectsOf(document: ContractDocument, { properties = {}, required = [] }: Schema): Values {
  const parts = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, valuesOf(document, part)]));
  return fc.record(parts, { requiredKeys: required, noNullPrototype: true });
}

/** Amounts with as many digits as money has, exponents as JSON writes them, and the bounds themselves. */
function amountsOf({ minimum, maximum = 1e15, exclusiveMinimum }: Schema): Values {
  const cents = fc
    .tuple(fc.nat({ max: 10 ** 9 }), fc.nat({ max: 99 }))
    .map(([whole, part]) => Number(`${whole}.${part}`));
  const bounds = [minimum, maximum, 0.1, 1e-6].filter((each) => each !== undefined);
  return fc
    .oneof({ weight: 4, arbitrary: cents }, { weight: 1, arbitrary: fc.constantFrom(...bounds) })
    .filter((value) => value <= maximum && value >= (minimum ?? 0) && (exclusiveMinimum === undefined || value > 0));
}

function textOf({ format, pattern, minLength = 0, maxLength }: Schema): Values {
  const made = format === undefined ? undefined : FORMATS[format];
  if (made) return made;
  if (pattern !== undefined && !isAnyText(pattern)) {
    const matching = fc.stringMatching(new RegExp(pattern, 'u'));
    return matching.filter(({ length }) => length >= minLength && length <= (maxLength ?? 200));
  }
  const fits = new RegExp(pattern ?? '', 'u');
  const short = Math.max(minLength, Math.min(maxLength ?? 40, 40));
  // Lengths count code points: a film camera is one, but two UTF-16 units.
  const bounds = [minLength, ...(maxLength !== undefined && maxLength <= 20_000 ? [maxLength] : [])];
  const texts = fc.oneof(
    { weight: 6, arbitrary: fc.string({ unit: 'binary', minLength, maxLength: short }).map(storable) },
    { weight: 1, arbitrary: fc.constantFrom(...bounds).map((length) => '🎬'.repeat(length)) },
  );
  return texts.filter((text) => fits.test(text));
}

/** Whether a pattern restricts some characters only, and not the text's form. */
function isAnyText(pattern: string): boolean {
  return new RegExp(pattern, 'u').test('any text: ünï 🎬\n"\\');
}

function storable(text: string): string {
  return text.replaceAll('\0', '0');
}

const day = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

const FORMATS: Readonly<Record<string, Values | undefined>> = {
  uuid: fc.oneof(
    { weight: 8, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: fc.constantFrom(`${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}`) },
    { weight: 1, arbitrary: fc.uuid().map((id) => id.toUpperCase()) },
  ),
  date: fc.oneof({ weight: 9, arbitrary: day }, { weight: 1, arbitrary: fc.constantFrom('2028-02-29', '2000-02-29') }),
  'date-time': fc
    .tuple(day, fc.stringMatching(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?$/))
    .map(([on, at]) => `${on}T${at}Z`),
  email: fc.emailAddress(),
};
