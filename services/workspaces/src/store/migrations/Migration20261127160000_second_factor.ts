import { Migration } from '@mikro-orm/migrations';

export class Migration20261127160000_second_factor extends Migration {
  override name = 'Migration20261127160000_second_factor';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "workspaces"."recovery_code" ("account_id" uuid not null, "code_hash" text not null, primary key ("account_id", "code_hash"));`,
    );

    this.addSql(
      `create table "workspaces"."second_factor" ("account_id" uuid not null, "sealed" text not null, "last_step" int not null, "set_at" timestamptz(6) not null, "reset_at" timestamptz(6) null, "stop_hash" text null, primary key ("account_id"));`,
    );
    this.addSql(
      `comment on column "workspaces"."second_factor"."sealed" is 'The secret, sealed under SECOND_FACTOR_KEYS.';`,
    );
    this.addSql(
      `comment on column "workspaces"."second_factor"."last_step" is 'Of the last code that was used; no earlier one counts.';`,
    );
    this.addSql(
      `comment on column "workspaces"."second_factor"."reset_at" is 'When it ends, because an operator was told that it is lost.';`,
    );
    this.addSql(
      `comment on column "workspaces"."second_factor"."stop_hash" is 'Of the secret in the link that keeps it.';`,
    );
    this.addSql(`alter table "workspaces"."second_factor" add constraint "second_factor_stop" unique ("stop_hash");`);

    this.addSql(`alter table "workspaces"."known_device" add "factor_trusted_until" timestamptz(6) null;`);
    this.addSql(
      `comment on column "workspaces"."known_device"."factor_trusted_until" is 'Until when sign-in requires no code in it; null where none was given yet.';`,
    );

    this.addSql(
      `comment on column "workspaces"."session"."authenticated_at" is 'When the password was last given in it, with the second factor where there is one; 1970 if the factor never was.';`,
    );

    this.addSql(`alter table "workspaces"."notice" drop constraint "notice_kind_check";`);
    this.addSql(
      `alter table "workspaces"."notice" add constraint "notice_kind_check" check ("kind" in ('password_changed', 'new_browser', 'second_factor_set', 'second_factor_removed', 'recovery_code_used', 'access_ended', 'contract_to_sign', 'work_sent_back', 'paid', 'payout_details_needed', 'changes_asked', 'work_waiting', 'payment_failed'));`,
    );

    this.addSql(`grant select, insert, delete on "workspaces"."recovery_code" to "workspaces";`);
    this.addSql(
      `grant select, insert, delete, update ("sealed", "last_step", "reset_at", "stop_hash") on "workspaces"."second_factor" to "workspaces";`,
    );
  }
}
