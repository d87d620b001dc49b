import { Migration } from '@mikro-orm/migrations';

export class Migration20261127193016_payout_change extends Migration {
  override name = 'Migration20261127193016_payout_change';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "workspaces"."payout_stop" ("change_id" uuid not null, "workspace_id" uuid not null, "account_id" uuid not null, "until" timestamptz(6) not null, primary key ("change_id"));`,
    );
    this.addSql(
      `comment on column "workspaces"."payout_stop"."change_id" is 'Of payments; a second change during the hold of the first has the same.';`,
    );
    this.addSql(`comment on column "workspaces"."payout_stop"."account_id" is 'Whose payout details they are.';`);
    this.addSql(`comment on column "workspaces"."payout_stop"."until" is 'By the calendar of the workspace.';`);

    this.addSql(`alter table "workspaces"."notice" drop constraint "notice_kind_check";`);
    this.addSql(
      `alter table "workspaces"."notice" add constraint "notice_kind_check" check ("kind" in ('password_changed', 'new_browser', 'second_factor_set', 'second_factor_removed', 'recovery_code_used', 'access_ended', 'address_changed', 'address_restored', 'closing_requested', 'closing_called_off', 'payout_details_changed', 'password_removed', 'contract_to_sign', 'work_sent_back', 'paid', 'payout_details_needed', 'changes_asked', 'work_waiting', 'payment_failed', 'payout_change_stopped')) not valid;`,
    );

    this.addSql(
      `grant select, insert, delete, update ("account_id", "until") on "workspaces"."payout_stop" to "workspaces";`,
    );
  }
}
