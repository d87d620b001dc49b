import { Migration } from '@mikro-orm/migrations';

export class Migration20261122223137_review_queue extends Migration {
  override name = 'Migration20261122223137_review_queue';

  override up(): void | Promise<void> {
    this.addSql(
      `create index "milestone_waiting" on "review"."milestone" ("workspace_id", "updated_at", "id") where status = 'submitted';`,
    );

    this.addSql(
      `create index "timesheet_waiting" on "review"."timesheet" ("workspace_id", "submitted_at", "id") where status = 'submitted';`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "review"."milestone_waiting";`);

    this.addSql(`drop index "review"."timesheet_waiting";`);
  }
}
