import { Migration } from '@mikro-orm/migrations';

export class Migration20261130004437_contract_ended_notice extends Migration {
  override name = 'Migration20261130004437_contract_ended_notice';

  override up(): void | Promise<void> {
    this.addSql(`alter table "workspaces"."notice" drop constraint "notice_kind_check";`);
    this.addSql(
      `alter table "workspaces"."notice" add constraint "notice_kind_check" check ("kind" in ('password_changed', 'new_browser', 'second_factor_set', 'second_factor_removed', 'recovery_code_used', 'access_ended', 'address_changed', 'address_restored', 'closing_requested', 'closing_called_off', 'payout_details_changed', 'password_removed', 'contract_to_sign', 'contract_ended', 'work_sent_back', 'paid', 'payout_details_needed', 'changes_asked', 'work_waiting', 'payment_failed', 'payout_change_stopped')) not valid;`,
    );
  }
}
