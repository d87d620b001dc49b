import { defineEntity, p } from '@mikro-orm/postgresql';
import { writePathTables } from '@payroll/commands';
import { instant, type Schema } from '@payroll/store';

/** A row without a constraint that would hide a duplicate effect. */
export const ThingTable = defineEntity({
  name: 'Thing',
  tableName: 'thing',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    name: p.text(),
    createdAt: instant(),
    updatedAt: instant(),
  },
});

/** A global row: it belongs to no workspace. */
export const SharedThingTable = defineEntity({
  name: 'SharedThing',
  tableName: 'shared_thing',
  properties: { id: p.uuid().primary(), name: p.text(), goneAt: instant().strictNullable() },
});

export const thingSchema: Schema = {
  name: 'contracts',
  tables: [...writePathTables, ThingTable, SharedThingTable],
  migrations: [],
  migrationsDir: import.meta.dirname,
};
