import { Migration } from '@mikro-orm/migrations';

export class Migration20261127150000_worker_access extends Migration {
  override name = 'Migration20261127150000_worker_access';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "workspaces"."worker_access" ("workspace_id" uuid not null, "id" uuid not null, "worker_id" uuid not null, "account_id" uuid not null, "joined_at" timestamptz(6) not null, "ended_at" timestamptz(6) null, primary key ("workspace_id", "id"));`,
    );
    this.addSql(`comment on column "workspaces"."worker_access"."worker_id" is 'Of contracts.';`);
    this.addSql(
      `comment on column "workspaces"."worker_access"."ended_at" is 'An access that has ended is never revived: joining again makes a new one.';`,
    );
    this.addSql(`create index "worker_access_of_account" on "workspaces"."worker_access" ("account_id");`);
    this.addSql(
      `create unique index "worker_access_worker" on "workspaces"."worker_access" ("workspace_id", "worker_id") where ended_at is null;`,
    );
    this.addSql(
      `create unique index "worker_access_account" on "workspaces"."worker_access" ("workspace_id", "account_id") where ended_at is null;`,
    );

    this.addSql(`alter table "workspaces"."invitation" add "worker_id" uuid null;`);
    this.addSql(
      `comment on column "workspaces"."invitation"."worker_id" is 'Of contracts; the person whom the link makes this worker.';`,
    );
    this.addSql(`alter table "workspaces"."invitation" alter column "role" drop not null;`);
    this.addSql(`comment on column "workspaces"."invitation"."role" is 'Null for a worker.';`);
    this.addSql(
      `alter table "workspaces"."invitation" add constraint "invitation_standing_check" check ((role is null) = (worker_id is not null));`,
    );

    // Whose access it is never changes.
    this.addSql(`grant select, insert, update ("ended_at") on "workspaces"."worker_access" to "workspaces";`);
  }
}
