import { defineEntity, p } from '@mikro-orm/core';
import { describe, expect, it } from 'vitest';
import { computed, columnOf, columns, columnsExcept, namedQuery, sql, rawSql } from './sql.js';

const ThingTable = defineEntity({
  name: 'Thing',
  tableName: 'thing',
  properties: { id: p.uuid().primary(), workspaceId: p.uuid(), name: p.text() },
});

const textOf = (statement: Parameters<typeof namedQuery>[0]): string => namedQuery(statement).text;
const valuesOf = (statement: Parameters<typeof namedQuery>[0]): unknown[] => namedQuery(statement).values;

describe('a statement', () => {
  it('binds every value that is not a piece of SQL, in order', () => {
    const statement = sql`select ${1} where ${'a'} = ${'b'}`;
    expect(namedQuery(statement)).toMatchObject({ text: 'select $1 where $2 = $3', values: [1, 'a', 'b'] });
  });

  it('takes pieces in as text, with their values at their places', () => {
    const piece = sql`name = ${'x'} or name = ${'y'}`;
    const statement = sql`select ${rawSql('name')} from thing where id = ${1} and (${piece}) limit ${2}`;
    expect(textOf(statement)).toBe('select name from thing where id = $1 and (name = $2 or name = $3) limit $4');
    expect(valuesOf(statement)).toEqual([1, 'x', 'y', 2]);
  });

  it('never inserts external text as SQL', () => {
    expect(textOf(sql`select ${"'; drop table thing; --"}`)).toBe('select $1');
  });

  it('with a piece of plain text binds no value', () => {
    expect(namedQuery(sql`select ${rawSql('1')}`)).toMatchObject({ text: 'select 1', values: [] });
    expect(namedQuery(sql`${rawSql('select')} ${rawSql('1')}`)).toMatchObject({ text: 'select 1', values: [] });
  });
});

describe('a bound value', () => {
  it('is JSON of an object, and an array of Postgres for an array', () => {
    expect(valuesOf(sql`select ${{ a: 1 }}, ${['a', 'b']}, ${true}, ${0}`)).toEqual(['{"a":1}', ['a', 'b'], true, 0]);
  });

  it('is null for a missing value', () => {
    expect(valuesOf(sql`select ${undefined}, ${null}`)).toEqual([null, null]);
  });

  it('fails before sending if it cannot be serialized', () => {
    const circle: Record<string, unknown> = {};
    circle['itself'] = circle;
    expect(() => namedQuery(sql`select ${circle}`)).toThrow('circular');
  });
});

describe('the name of a statement', () => {
  const selectThing = (id: string) => sql`select name from thing where id = ${id}`;

  it('depends on its text alone, whatever its values and place', () => {
    const elsewhere = sql`select name from ${rawSql('thing')} where id = ${'c'}`;
    const names = [selectThing('a'), selectThing('b'), elsewhere].map((statement) => namedQuery(statement).name);
    expect(new Set(names).size).toBe(1);
    expect(namedQuery(sql`select id from thing where id = ${'a'}`).name).not.toBe(names[0]);
  });

  it('is as long as Postgres allows', () => {
    const { name } = namedQuery(selectThing('a'));
    expect(name.length).toBeLessThan(64);
    expect(name.length).toBeGreaterThan(40);
  });
});

describe('columns', () => {
  it('are named as properties of their table, all of them unless some are named', () => {
    expect(textOf(columns(ThingTable))).toBe('thing.id, thing.workspace_id as "workspaceId", thing.name');
    expect(textOf(columns(ThingTable, 'name', 'id'))).toBe('thing.name, thing.id');
    expect(textOf(columnsExcept(ThingTable, 'name'))).toBe('thing.id, thing.workspace_id as "workspaceId"');
    expect(textOf(columnOf(ThingTable, 'workspaceId'))).toBe('thing.workspace_id');
  });

  it('that are computed are cast to the type that the row says', () => {
    expect(textOf(computed('count', 'int', sql`count(*)`))).toBe('(count(*))::int as "count"');
    const perhaps = computed('last', 'timestamptz?', sql`max(at) filter (where id = ${'a'})`);
    expect(textOf(perhaps)).toBe('(max(at) filter (where id = $1))::timestamptz as "last"');
  });
});
