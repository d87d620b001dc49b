import { Migration } from '@mikro-orm/migrations';

export class Migration20261127160325_mail_choice extends Migration {
  override name = 'Migration20261127160325_mail_choice';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "workspaces"."mail_choice" ("account_id" uuid not null, "workspace_id" uuid not null, "topic" text not null, "rhythm" text not null, primary key ("account_id", "workspace_id", "topic"));`,
    );

    this.addSql(`drop index "workspaces"."mail_gathering";`);
    this.addSql(`alter table "workspaces"."mail" add "is_daily" boolean not null default false;`);
    this.addSql(`comment on column "workspaces"."mail"."is_daily" is 'Gathered until 07:00 UTC.';`);
    this.addSql(
      `create unique index "mail_gathering" on "workspaces"."mail" ("account_id", "workspace_id", "is_daily") where state = 'waiting' and first_tried_at is null;`,
    );

    this.addSql(
      `alter table "workspaces"."mail_choice" add constraint "mail_choice_topic_check" check ("topic" in ('work', 'contracts', 'money'));`,
    );
    this.addSql(
      `alter table "workspaces"."mail_choice" add constraint "mail_choice_rhythm_check" check ("rhythm" in ('at_once', 'daily', 'never'));`,
    );

    this.addSql(`grant select, insert, update ("rhythm") on "workspaces"."mail_choice" to "workspaces";`);
  }
}
