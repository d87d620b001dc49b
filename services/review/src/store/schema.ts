import { CalendarTable, SetAsideTable } from '@payroll/service';
import { writePathTables } from '@payroll/commands';
import { defineSchema } from '@payroll/store';
import { Migration20261121084612 } from './migrations/Migration20261121084612.js';
import { Migration20261121182208_retention } from './migrations/Migration20261121182208_retention.js';
import { Migration20261121183540_traceparent } from './migrations/Migration20261121183540_traceparent.js';
import { Migration20261121210322_kept } from './migrations/Migration20261121210322_kept.js';
import { Migration20261122053543_milestone_agreement } from './migrations/Migration20261122053543_milestone_agreement.js';
import { Migration20261122054203_outbox_new } from './migrations/Migration20261122054203_outbox_new.js';
import { Migration20261122054622_set_aside } from './migrations/Migration20261122054622_set_aside.js';
import { Migration20261122191310_dead_letters } from './migrations/Migration20261122191310_dead_letters.js';
import { Migration20261122223137_review_queue } from './migrations/Migration20261122223137_review_queue.js';
import { Migration20261123180412_calendar } from './migrations/Migration20261123180412_calendar.js';
import { Migration20261124115903_delivery } from './migrations/Migration20261124115903_delivery.js';
import { ContractTermsTable, MilestoneTable, TimesheetTable } from './tables.js';

export const reviewSchema = defineSchema({
  name: 'review',
  tables: [ContractTermsTable, TimesheetTable, MilestoneTable, CalendarTable, SetAsideTable, ...writePathTables],
  migrations: [
    Migration20261121084612,
    Migration20261121182208_retention,
    Migration20261121183540_traceparent,
    Migration20261121210322_kept,
    Migration20261122053543_milestone_agreement,
    Migration20261122054203_outbox_new,
    Migration20261122054622_set_aside,
    Migration20261122191310_dead_letters,
    Migration20261122223137_review_queue,
    Migration20261123180412_calendar,
    Migration20261124115903_delivery,
  ],
  migrationsDir: `${import.meta.dirname}/migrations`,
});
