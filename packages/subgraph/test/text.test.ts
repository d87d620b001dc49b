import { generateKeySync } from 'node:crypto';
import { mintActorToken } from '@payroll/admission';
import { DomainError, newId } from '@payroll/kernel';
import { buildSubgraph, createSubgraphServer, enumOf, field, type Money, NULLABLE } from '@payroll/subgraph';
import fc from 'fast-check';
import { fastify, type FastifyInstance } from 'fastify';
import { Arg, FieldResolver, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { originOf } from './things.js';

const SHADES = ['light', 'dark'] as const;
const ShadeEnum = enumOf('TextShade', SHADES, 'A closed list of words.');

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

@Resolver(() => Whole)
class Wholes {
  gives: () => unknown = () => null;
  calls = 0;

  private give(): unknown {
    this.calls++;
    return this.gives();
  }

  @Query(() => Whole, { nullable: true })
  whole(@Arg('limit', () => Int, { defaultValue: 50 }) _limit: number): unknown {
    return this.give();
  }

  @Query(() => Whole)
  required(): unknown {
    return this.give();
  }

  @Query(() => [Whole])
  wholes(): unknown {
    return this.give();
  }

  @FieldResolver(() => String)
  resolved(): string {
    return 'by a method';
  }
}

const key = generateKeySync('hmac', { length: 256 });
const resolver = new Wholes();
const mine = originOf(newId());
let server: FastifyInstance;

beforeAll(async () => {
  const { schema } = await buildSubgraph({ resolvers: [resolver], references: {} });
  const [{ log }, waitingFor] = [fastify(), () => Promise.resolve([])];
  const asDomainError = (error: unknown) => error;
  server = await createSubgraphServer({ service: 'contracts', actorKey: key, schema, log, asDomainError, waitingFor });
});
afterAll(() => server.close());
beforeEach(() => (resolver.calls = 0));

type Line = [place: number, answer: Answer | null, value?: unknown];
interface Answer {
  data?: Record<string, unknown> | null;
  errors?: { message: string; extensions: object }[];
}

const request = (query: string, more: object = {}) => {
  return { token: mintActorToken('contracts', key, mine, new Date()), query, ...more };
};

async function linesOf(requests: object[]): Promise<string[]> {
  const payload = JSON.stringify(requests);
  const headers = { 'content-type': 'application/json' };
  const { body } = await server.inject({ method: 'POST', url: '/graphql', headers, payload });
  const lines = body.split('\n').filter(Boolean);
  return lines.toSorted((a, b) => (JSON.parse(a) as Line)[0] - (JSON.parse(b) as Line)[0]);
}

/** The same query executed field by field, and written. */
async function bothWays(query: string, more: object = {}): Promise<{ executed: Answer; written: string }> {
  const lines = await linesOf([request(query, more), request(query, { ...more, text: true })]);
  const [, executed] = JSON.parse(lines[0]!) as Line;
  return { executed: executed!, written: lines[1]! };
}

async function expectSame(name: string, query: string): Promise<void> {
  const { executed, written } = await bothWays(query);
  const { data, errors } = executed;
  if (!errors) return expect(written).toBe(`[1,null,${JSON.stringify(data![name])}]`);
  const [, answer, value] = JSON.parse(written) as Line;
  expect(value).toBeUndefined();
  const shown = ({ message, extensions }: NonNullable<Answer['errors']>[number]) => ({ message, extensions });
  expect(answer?.errors?.slice(0, 1).map(shown)).toEqual(errors.slice(0, 1).map(shown));
}

const ALL = `{ id text textOrNull int flag decimal time shade shadeOrNull amount { amount currency }
  part { text int } parts { int text __typename } words }`;

const nothing = fc.constantFrom(null, undefined);
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', '\\', '\n', '\u2028', '\ud800', '€', ''));
const part = fc.record({ text: fc.option(text), int: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }) });
const fitting = {
  id: fc.uuid(),
  text,
  textOrNull: fc.oneof(text, nothing),
  int: fc.oneof(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), nothing),
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
/** What no type of a field takes, or null where it must not be. */
const odd = fc.constantFrom(null, undefined, 'no word', 1.5, 2 ** 40, Number.NaN, true);
const whole = fc.record(fitting);
const oddWhole = fc
  .tuple(whole, fc.constantFrom(...Object.keys(fitting)), odd)
  .map(([value, name, strange]) => ({ ...value, [name]: strange }));

describe('text is what GraphQL would answer', () => {
  it.each([
    ['of one thing', 'whole', whole],
    ['of one thing that must be there', 'required', whole],
    ['of a list', 'wholes', fc.array(whole, { maxLength: 3 })],
    ['of nothing', 'whole', nothing],
    ['of nothing where there must be something', 'required', nothing],
    ['of an empty list', 'wholes', fc.constant([])],
    ['of a value that does not fit its type', 'whole', oddWhole],
    ['of a list with such values', 'wholes', fc.array(fc.oneof(whole, oddWhole, nothing), { maxLength: 3 })],
    ['of no list', 'wholes', fc.constantFrom('text', 5, {})],
  ])('%s', async (_what, name, values) => {
    await fc.assert(
      fc.asyncProperty(values as fc.Arbitrary<unknown>, async (value) => {
        resolver.gives = () => value;
        await expectSame(name, `{ ${name} ${ALL} }`);
      }),
      { numRuns: 100 },
    );
  });

  it('in the order and by the names that were asked for', async () => {
    resolver.gives = () => ({ id: 'i', text: 't', flag: true });
    const { written } = await bothWays('query q { it: whole { flag b: text __typename a: id } }');
    expect(written).toBe('[1,null,{"flag":true,"b":"t","__typename":"Whole","a":"i"}]');
  });

  it.each([
    ['a refusal', () => new DomainError('INVALID_REQUEST', 'No.', { details: [{ path: 'cursor', code: 'odd' }] })],
    ['a failure', () => new Error('a secret')],
  ])('or the same %s', async (_what, error) => {
    resolver.gives = () => {
      throw error();
    };
    for (const name of ['whole', 'required']) {
      const { executed, written } = await bothWays(`{ ${name} { id } }`);
      expect(JSON.parse(written)).toEqual([1, executed]);
    }
  });

  it('or the same refusal of variables and arguments', async () => {
    const query = 'query ($n: Int) { whole(limit: $n) { id } }';
    for (const variables of [{ n: null }, { n: 'all' }]) {
      const { executed, written } = await bothWays(query, { variables });
      expect(executed.errors).toHaveLength(1);
      expect(JSON.parse(written)).toEqual([1, executed]);
    }
  });
});

it.each([
  ['a field with a resolver of its own', '{ whole { id resolved } }'],
  ['a fragment', '{ whole { ... on Whole { id } } }'],
  ['a directive', '{ whole { id text @include(if: true) } }'],
  ['a field asked for twice', '{ whole { id id } }'],
  ['a field called like no property', '{ whole { __proto__: id } }'],
  ['two fields', '{ whole { id } required { id } }'],
  ['the type alone', '{ __typename }'],
])('%s is executed field by field', async (_what, query) => {
  resolver.gives = () => ({ id: 'i', text: 't' });
  const { executed, written } = await bothWays(query);
  expect(executed.errors).toBeUndefined();
  expect(JSON.parse(written)).toEqual([1, executed]);
});

it('whoever does not ask for text, and GraphQL over HTTP, gets none', async () => {
  resolver.gives = () => ({ id: 'i' });
  expect(await linesOf([request('{ whole { id } }')])).toEqual(['[0,{"data":{"whole":{"id":"i"}}}]']);
  const { token, ...body } = request('{ whole { id } }', { text: true });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await server.inject({ method: 'POST', url: '/graphql', headers, payload: JSON.stringify(body) });
  expect(answer.json()).toEqual({ data: { whole: { id: 'i' } } });
});

it('a resolver runs once, also where what it gives does not fit', async () => {
  resolver.gives = () => ({ id: null });
  await linesOf([request('{ whole { id } }', { text: true })]);
  expect(resolver.calls).toBe(1);
});
