import { Migration } from '@mikro-orm/migrations';

export class Migration20261127154000_mail extends Migration {
  override name = 'Migration20261127154000_mail';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "workspaces"."mail" ("id" uuid not null, "account_id" uuid not null, "workspace_id" uuid null, "state" text not null, "due_at" timestamptz(6) not null, "tries" int not null, "first_tried_at" timestamptz(6) null, "created_at" timestamptz(6) not null, primary key ("id"));`,
    );
    this.addSql(
      `comment on column "workspaces"."mail"."id" is 'Also in its Message-ID, so that all tries have the same.';`,
    );
    this.addSql(`comment on column "workspaces"."mail"."workspace_id" is 'Null if it is about the account itself.';`);
    this.addSql(
      `comment on column "workspaces"."mail"."due_at" is 'When it is tried next, unless it is accepted before.';`,
    );
    this.addSql(
      `comment on column "workspaces"."mail"."first_tried_at" is 'Until then, more notices of the workspace join it.';`,
    );
    this.addSql(`create index "mail_due" on "workspaces"."mail" ("due_at") where state = 'waiting';`);
    this.addSql(`create index "mail_created" on "workspaces"."mail" ("created_at");`);
    this.addSql(
      `create unique index "mail_gathering" on "workspaces"."mail" ("account_id", "workspace_id") where state = 'waiting' and first_tried_at is null;`,
    );

    this.addSql(
      `create table "workspaces"."notice" ("source_id" uuid not null, "account_id" uuid not null, "mail_id" uuid not null, "kind" text not null, "about_id" uuid not null, "created_at" timestamptz(6) not null, primary key ("source_id", "account_id"));`,
    );
    this.addSql(
      `comment on column "workspaces"."notice"."source_id" is 'The event or the operation that it follows from.';`,
    );
    this.addSql(
      `comment on column "workspaces"."notice"."about_id" is 'Such as the contract to sign; of an access that has ended, the workspace.';`,
    );
    this.addSql(`create index "notice_of_mail" on "workspaces"."notice" ("mail_id");`);

    this.addSql(
      `alter table "workspaces"."mail" add constraint "mail_state_check" check ("state" in ('waiting', 'sent', 'given_up', 'dropped'));`,
    );

    this.addSql(
      `alter table "workspaces"."notice" add constraint "notice_kind_check" check ("kind" in ('password_changed', 'new_browser', 'access_ended', 'contract_to_sign', 'work_sent_back', 'paid', 'payout_details_needed', 'changes_asked', 'work_waiting', 'payment_failed'));`,
    );

    // A notice never changes; a mail is tried until it has ended.
    this.addSql(
      `grant select, insert, update ("state", "due_at", "tries", "first_tried_at"), delete on "workspaces"."mail" to "workspaces";`,
    );
    this.addSql(`grant select, insert, delete on "workspaces"."notice" to "workspaces";`);
  }
}
