import { CalendarTable, SetAsideTable } from '@payroll/service';
import { writePathTables } from '@payroll/commands';
import { defineSchema } from '@payroll/store';
import { Migration20261121084614 } from './migrations/Migration20261121084614.js';
import { Migration20261121154954 } from './migrations/Migration20261121154954.js';
import { Migration20261121175844 } from './migrations/Migration20261121175844.js';
import { Migration20261121182213_retention } from './migrations/Migration20261121182213_retention.js';
import { Migration20261121183534_traceparent } from './migrations/Migration20261121183534_traceparent.js';
import { Migration20261121210323_kept } from './migrations/Migration20261121210323_kept.js';
import { Migration20261122054204_outbox_new } from './migrations/Migration20261122054204_outbox_new.js';
import { Migration20261122054237_set_aside } from './migrations/Migration20261122054237_set_aside.js';
import { Migration20261122054611_payout_keys } from './migrations/Migration20261122054611_payout_keys.js';
import { Migration20261122062118_second_person } from './migrations/Migration20261122062118_second_person.js';
import { Migration20261122191307_dead_letters } from './migrations/Migration20261122191307_dead_letters.js';
import { Migration20261122194500_provider_apart } from './migrations/Migration20261122194500_provider_apart.js';
import { Migration20261122201500_outcomes } from './migrations/Migration20261122201500_outcomes.js';
import { Migration20261122223331_by_worker_and_day } from './migrations/Migration20261122223331_by_worker_and_day.js';
import { Migration20261123180427_calendar } from './migrations/Migration20261123180427_calendar.js';
import { Migration20261124115913_delivery } from './migrations/Migration20261124115913_delivery.js';
import * as money from './money-tables.js';
import * as tables from './tables.js';

export const paymentsSchema = defineSchema({
  name: 'payments',
  tables: [
    tables.PaymentTable,
    tables.DeductionTable,
    tables.ContractWorkerTable,
    tables.BusinessTable,
    tables.PayeeTable,
    money.PayoutAttemptTable,
    money.SandboxPayoutTable,
    money.LedgerAccountTable,
    money.LedgerPostingTable,
    money.LedgerEntryTable,
    tables.InstructionTable,
    CalendarTable,
    SetAsideTable,
    ...writePathTables,
  ],
  migrations: [
    Migration20261121084614,
    Migration20261121154954,
    Migration20261121175844,
    Migration20261121182213_retention,
    Migration20261121183534_traceparent,
    Migration20261121210323_kept,
    Migration20261122054204_outbox_new,
    Migration20261122054237_set_aside,
    Migration20261122054611_payout_keys,
    Migration20261122062118_second_person,
    Migration20261122191307_dead_letters,
    Migration20261122194500_provider_apart,
    Migration20261122201500_outcomes,
    Migration20261122223331_by_worker_and_day,
    Migration20261123180427_calendar,
    Migration20261124115913_delivery,
  ],
  migrationsDir: `${import.meta.dirname}/migrations`,
});
