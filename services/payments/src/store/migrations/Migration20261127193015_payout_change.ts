import { Migration } from '@mikro-orm/migrations';

export class Migration20261127193015_payout_change extends Migration {
  override name = 'Migration20261127193015_payout_change';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "payments"."payee" add "change_id" uuid null, add "former" jsonb null, add "stopped_at" timestamptz(6) null;`,
    );
    this.addSql(
      `comment on column "payments"."payee"."change_id" is 'Of the last change that was held; a change during its hold belongs to it. Stop links name it.';`,
    );
    this.addSql(
      `comment on column "payments"."payee"."former" is 'What was paid to before the change, restored when it is stopped.';`,
    );
    this.addSql(
      `comment on column "payments"."payee"."stopped_at" is 'When the last change was stopped; null after another one.';`,
    );
  }
}
