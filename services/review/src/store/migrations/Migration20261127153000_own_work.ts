import { Migration } from '@mikro-orm/migrations';

export class Migration20261127153000_own_work extends Migration {
  override name = 'Migration20261127153000_own_work';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "review"."timesheet_draft" ("workspace_id" uuid not null, "principal_id" uuid not null, "contract_id" uuid not null, "first_day" date not null, "fields" text not null, "saved_at" timestamptz(6) not null, primary key ("workspace_id", "principal_id", "contract_id", "first_day"));`,
    );
    this.addSql(
      `comment on column "review"."timesheet_draft"."principal_id" is 'The access of the worker, or the membership of a member, who typed it.';`,
    );
    this.addSql(`comment on column "review"."timesheet_draft"."fields" is 'As JSON, exactly as the form was kept.';`);
    this.addSql(`create index "timesheet_draft_saved" on "review"."timesheet_draft" ("saved_at");`);

    this.addSql(`alter table "review"."contract_terms" add "worker_id" uuid null;`);
    this.addSql(
      `comment on column "review"."contract_terms"."worker_id" is 'Whose work it is; null while no event and no answer has named the worker.';`,
    );

    this.addSql(`alter table "review"."milestone" add "note" text null;`);
    this.addSql(`comment on column "review"."milestone"."note" is 'What the worker says of it.';`);

    this.addSql(`alter table "review"."timesheet" add "entries" jsonb null, add "submitted_by" text null;`);
    this.addSql(
      `comment on column "review"."timesheet"."entries" is 'By day, where it was entered so; unitsWorked is their sum.';`,
    );
    this.addSql(
      `comment on column "review"."timesheet"."submitted_by" is 'The side of the contract that entered it; null for the application and the sandbox.';`,
    );
    this.addSql(
      `alter table "review"."timesheet" add constraint "timesheet_submitted_by_check" check ("submitted_by" in ('worker', 'client'));`,
    );

    this.addSql(`grant select, insert, update, delete on "review"."timesheet_draft" to "review";`);
  }
}
