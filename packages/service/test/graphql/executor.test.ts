import { DomainError } from '@payroll/kernel';
import * as field from '../../src/graphql/fields.js';
import { buildSubgraph } from '../../src/graphql/schema.js';
import { enumOf, NULLABLE } from '../../src/graphql/fields.js';
import { type Money } from '../../src/graphql/scalars.js';
import fc from 'fast-check';
import { execute, type ExecutionResult, parse } from 'graphql';
import { Arg, FieldResolver, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { beforeEach, describe, expect, it } from 'vitest';
import { Executor } from '../../src/graphql/executor.js';

const SHADES = ['light', 'dark'] as const;
const ShadeEnum = enumOf('ExecutorShade', SHADES, 'A closed list of words.');

@ObjectType()
class Part {
  @field.text('A text.', NULLABLE) text!: unknown;
  @field.int('A number.') int!: unknown;
}

@ObjectType()
class Whole {
  @field.id('An id.') id!: unknown;
  @field.text('A text.') text!: unknown;
  @field.text('A text or null.', NULLABLE) textOrNull!: unknown;
  @field.int('A number or null.', NULLABLE) int!: unknown;
  @field.boolean('A flag.') flag!: unknown;
  @field.decimal('A decimal.') decimal!: unknown;
  @field.time('A time or null.', NULLABLE) time!: unknown;
  @field.of(() => ShadeEnum, 'A word.') shade!: unknown;
  @field.of(() => ShadeEnum, 'A word or null.', NULLABLE) shadeOrNull!: unknown;
  @field.money('An amount.') amount!: Money;
  @field.of(() => Part, 'A part or null.', NULLABLE) part!: unknown;
  @field.of(() => [Part], 'Parts.') parts!: unknown;
  @field.of(() => [String], 'Words or null.', NULLABLE) words!: unknown;
}

type Root = 'whole' | 'required' | 'wholes' | 'change';

@Resolver(() => Whole)
class Wholes {
  gives: Partial<Record<Root, () => unknown>> = {};
  calls = 0;

  @Query(() => Whole, { nullable: true })
  whole(@Arg('limit', () => Int, { defaultValue: 50 }) _limit: number): unknown {
    return this.give('whole');
  }

  @Query(() => Whole)
  required(): unknown {
    return this.give('required');
  }

  @Query(() => [Whole])
  wholes(): unknown {
    return this.give('wholes');
  }

  @Mutation(() => Whole)
  change(): unknown {
    return this.give('change');
  }

  @FieldResolver(() => String)
  resolved(): string {
    return 'by a method';
  }

  private give(root: Root): unknown {
    this.calls++;
    return this.gives[root]?.() ?? null;
  }
}

const resolver = new Wholes();

const { schema } = await buildSubgraph({ resolvers: [resolver], references: {} });
const executor = new Executor(schema);
beforeEach(() => {
  resolver.gives = {};
  resolver.calls = 0;
});

const shown = ({ errors, data }: ExecutionResult) => JSON.stringify({ errors, data });

async function answered(query: string, variableValues = {}): Promise<string> {
  const { errors, operations } = executor.read(query);
  expect(errors).toEqual([]);
  return shown(await executor.run(operations[0]!, { variableValues, contextValue: {} }));
}

async function byGraphql(query: string, variableValues = {}): Promise<string> {
  return shown(await execute({ schema, document: parse(query), variableValues, contextValue: {} }));
}

const isCompiled = (query: string): boolean => executor.read(query).operations[0]?.compiled != null;

/** Some of the fields, each with some of its selection, under its own name or an alias. */
function selectionOf(fields: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<string> {
  const each = Object.entries(fields).map(([name, below]) =>
    fc.tuple(fc.constantFrom('', 'a', 'b', 'toJSON', 'constructor'), below).map(([alias, selection]) => {
      return { key: alias || name, text: `${alias && `${alias}: `}${name} ${selection}` };
    }),
  );
  return fc
    .uniqueArray(fc.oneof(...each), { minLength: 1, maxLength: 12, selector: ({ key }) => key })
    .map((chosen) => `{ ${chosen.map(({ text }) => text).join(' ')} }`);
}

const leaf = fc.constant('');
const leaves = (...names: string[]) => Object.fromEntries([...names, '__typename'].map((name) => [name, leaf]));
const partFields = selectionOf(leaves('text', 'int'));
const wholeFields = {
  ...leaves('id', 'text', 'textOrNull', 'int', 'flag', 'decimal', 'time', 'shade', 'shadeOrNull', 'words'),
  amount: selectionOf(leaves('amount', 'currency')),
  part: partFields,
  parts: partFields,
};
const queryOf = (selection: fc.Arbitrary<string>) =>
  selectionOf({ whole: selection, required: selection, wholes: selection, __typename: leaf });
const query = queryOf(selectionOf(wholeFields));
/** A failure of one of its fields affects no other. */
const looseQuery = fc.oneof(
  fc.tuple(fc.constantFrom('required', 'wholes'), selectionOf(wholeFields)).map((parts) => `{ ${parts.join(' ')} }`),
  selectionOf({ whole: selectionOf(wholeFields) }),
);
/** Selections that need more than reading properties. */
const ODD = 'resolved|... on Whole { text id }|id id|id @include(if: true)|id @skip(if: true)|__proto__: id'.split('|');
const oddQuery = queryOf(
  fc
    .tuple(selectionOf(wholeFields), fc.subarray(ODD, { minLength: 1 }))
    .map(([selection, odd]) => `${selection.slice(0, -1)} ${odd.join(' ')} }`),
);

const nothing = fc.constantFrom(null, undefined);
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', '\\', '\n', '\u2028', '\ud800', '€', ''));
const int = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const part = fc.record({ text: fc.option(text), int });
const fitting = {
  id: fc.uuid(),
  text,
  textOrNull: fc.oneof(text, nothing),
  int: fc.oneof(int, nothing),
  flag: fc.boolean(),
  decimal: fc.constantFrom('0', '0.000000000000000001', '99999999999999999999.123456789012345678', '-1.50'),
  time: fc.constantFrom('1970-01-01T00:00:00.000001Z', null),
  shade: fc.constantFrom(...SHADES),
  shadeOrNull: fc.constantFrom(...SHADES, null),
  amount: fc.record({ amount: fc.constantFrom('12.50', '0'), currency: fc.constantFrom('EUR', 'USDC') }),
  part: fc.oneof(part, nothing),
  parts: fc.array(part, { maxLength: 3 }),
  words: fc.oneof(fc.array(text, { maxLength: 3 }), nothing),
};
/** Values that no field's type accepts, or null where it is not allowed. */
const misfit = fc.constantFrom(null, undefined, 'no word', 1.5, 2 ** 40, Number.NaN, true, {}, [[]]);
const whole = fc.record(fitting);
const oddWhole = fc
  .tuple(whole, fc.constantFrom(...Object.keys(fitting)), misfit)
  .map(([value, name, strange]) => ({ ...value, [name]: strange }));
const refusal = fc.constantFrom(
  new DomainError('INVALID_REQUEST', 'No.', { details: [{ path: 'cursor', code: 'odd' }] }),
  new Error('a secret'),
);

/** The result of a resolver: immediate, later, or thrown. */
function given(value: fc.Arbitrary<unknown>): fc.Arbitrary<() => unknown> {
  const way = fc.constantFrom(
    (result: unknown) => () => result,
    (result: unknown) => () => Promise.resolve(result),
  );
  const thrown = refusal.map((error) => () => {
    throw error;
  });
  return fc.oneof(
    { weight: 5, arbitrary: fc.tuple(way, value).map(([make, result]) => make(result)) },
    { weight: 1, arbitrary: thrown },
  );
}
const anyWhole = fc.oneof({ weight: 3, arbitrary: whole }, oddWhole, nothing);
const gives = fc.record({
  whole: given(anyWhole),
  required: given(anyWhole),
  wholes: given(fc.oneof(fc.array(anyWhole, { maxLength: 3 }), fc.constantFrom('text', 5, {}))),
});
const fits = fc.record({
  whole: given(whole),
  required: given(whole),
  wholes: given(fc.array(whole, { maxLength: 3 })),
});

describe('a query gets the same answer as from graphql-js, byte by byte', () => {
  it.each([
    ['where its selections are properties', query, fits, true],
    ['where values do not fit their types', looseQuery, gives, true],
    ['where its selections are more than properties', oddQuery, gives, false],
  ])('%s', async (_where, queries, values, compiled) => {
    const same = async (asked: string, all: typeof resolver.gives) => {
      resolver.gives = all;
      expect(await answered(asked)).toBe(await byGraphql(asked));
      if (compiled) expect(isCompiled(asked)).toBe(true);
    };
    await fc.assert(fc.asyncProperty(queries, values, same), { numRuns: 400 });
  });

  it('with variables and arguments, valid or not', async () => {
    resolver.gives.whole = () => ({ id: 'i' });
    const asked = 'query named($n: Int) { whole(limit: $n) { id } }';
    for (const variables of [{}, { n: 5 }, { n: null }, { n: 'all' }]) {
      expect(await answered(asked, variables)).toBe(await byGraphql(asked, variables));
    }
  });
});

it('if one of several fields fails, the others are still reduced to what was selected', async () => {
  resolver.gives = { whole: () => ({ id: 'i', text: 'not selected' }), wholes: () => [{ id: 'j', text: 'nor this' }] };
  const asked = '{ whole { id } required { id } }';
  expect(await answered(asked)).toBe(await byGraphql(asked));
  resolver.gives.whole = () => {
    throw new Error('away');
  };
  const { data, errors } = JSON.parse(await answered('{ whole { id } wholes { id } }')) as ExecutionResult;
  expect(errors).toHaveLength(1);
  expect(data).toEqual({ whole: null, wholes: [{ id: 'j' }] });
});

it.each([
  ['a mutation', 'mutation { change { id } }'],
  ['a field with a resolver of its own', '{ whole { id resolved } }'],
  ['a fragment', '{ whole { ... on Whole { id } } }'],
  ['a fragment of the whole query', '{ ...all } fragment all on Query { whole { id } }'],
  ['a directive', '{ whole { id text @include(if: true) } }'],
  ['a directive on the whole field', '{ whole @include(if: true) { id } }'],
  ['a field asked for twice', '{ whole { id id } }'],
  ['a whole field asked for twice', '{ whole { id } whole { text } }'],
  ['a field called like no property', '{ whole { __proto__: id } }'],
  ['a whole field called like no property', '{ __proto__: whole { id } }'],
])('%s is executed field by field', async (_what, asked) => {
  resolver.gives = { whole: () => ({ id: 'i', text: 't' }), change: () => ({ id: 'i' }) };
  expect(isCompiled(asked)).toBe(false);
  expect(await answered(asked)).toBe(await byGraphql(asked));
});

it('a resolver runs only once if its value fits', async () => {
  resolver.gives.whole = () => ({ id: 'i' });
  await answered('{ whole { id } other: whole { id } }');
  expect(resolver.calls).toBe(2);
});
