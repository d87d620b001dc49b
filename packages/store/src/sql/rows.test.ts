import { defineEntity, p } from '@mikro-orm/core';
import { describe, expect, it } from 'vitest';
import { deleteRow, insertRow, keyOf, selectRows, updateRow } from './rows.js';
import { namedQuery, type Sql } from './sql.js';

const PlaceTable = defineEntity({
  name: 'Place',
  tableName: 'place',
  properties: {
    workspaceId: p.uuid().primary(),
    placeNumber: p.integer().primary(),
    name: p.text(),
    seen: p.json<unknown>().nullable(),
  },
});

const ROW = { workspaceId: 'w', placeNumber: 3, name: 'here', seen: ['a', 'b'] };

const written = (statement: Sql): [string, unknown[]] => {
  const { text, values } = namedQuery(statement);
  return [text.trim(), values];
};

it("the key of a row consists of its table's primary key columns", () => {
  expect(keyOf(PlaceTable, ROW)).toEqual({ workspaceId: 'w', placeNumber: 3 });
});

describe('a row', () => {
  const select =
    'select place.workspace_id as "workspaceId", place.place_number as "placeNumber", place.name, place.seen from place';

  it('is selected by any of its columns, and locked on request', () => {
    expect(written(selectRows(PlaceTable, { name: 'here' }))).toEqual([`${select} where place.name = $1`, ['here']]);
    const byKey = selectRows(PlaceTable, keyOf(PlaceTable, ROW), 'for update');
    expect(written(byKey)).toEqual([
      `${select} where place.workspace_id = $1 and place.place_number = $2 for update`,
      ['w', 3],
    ]);
  });

  it('is found by a null column, even after a search by a value', () => {
    const asked = ['x', null, 'x'].map((seen) => written(selectRows(PlaceTable, { name: 'here', seen })));
    const byValue = [`${select} where place.name = $1 and place.seen = $2`, ['here', 'x']];
    expect(asked).toEqual([byValue, [`${select} where place.name = $1 and place.seen is null`, ['here']], byValue]);
  });

  it('is selected without a lock after it was selected with one, and the other way round', () => {
    const texts = (['for update', '', 'for update'] as const).map(
      (lock) => written(selectRows(PlaceTable, { name: 'x' }, lock))[0],
    );
    expect(texts.map((text) => text.endsWith('for update'))).toEqual([true, false, true]);
  });

  it('is written without fields that have no column', () => {
    const more: object = { newer: 1 };
    expect(written(insertRow(PlaceTable, { ...ROW, ...more }))).toEqual(written(insertRow(PlaceTable, ROW)));
    expect(written(updateRow(PlaceTable, ROW, { name: 'there', ...more }))).toEqual(
      written(updateRow(PlaceTable, ROW, { name: 'there' })),
    );
  });

  it('is inserted whole; an array in a JSON column stays JSON', () => {
    expect(written(insertRow(PlaceTable, ROW))).toEqual([
      'insert into place (workspace_id, place_number, name, seen) values ($1, $2, $3, $4)',
      ['w', 3, 'here', '["a","b"]'],
    ]);
    // The same statement for another row.
    expect(written(insertRow(PlaceTable, { ...ROW, placeNumber: 4, seen: null }))[1]).toEqual(['w', 4, 'here', null]);
  });

  it('is updated only in the named columns, without changing other rows', () => {
    const where = 'where place.workspace_id = $2 and place.place_number = $3';
    expect(written(updateRow(PlaceTable, ROW, { name: 'there' }))).toEqual([
      `update place set name = $1 ${where}`,
      ['there', 'w', 3],
    ]);
    expect(written(updateRow(PlaceTable, ROW, { seen: [1] }))).toEqual([
      `update place set seen = $1 ${where}`,
      ['[1]', 'w', 3],
    ]);
    expect(written(updateRow(PlaceTable, ROW, { name: 'there', seen: { a: 1 } }))[0]).toContain(
      'set name = $1, seen = $2 where',
    );
  });

  it('is deleted without deleting other rows', () => {
    expect(written(deleteRow(PlaceTable, ROW))).toEqual([
      'delete from place where place.workspace_id = $1 and place.place_number = $2',
      ['w', 3],
    ]);
  });
});
