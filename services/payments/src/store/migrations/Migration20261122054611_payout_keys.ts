import { Migration } from '@mikro-orm/migrations';

export class Migration20261122054611_payout_keys extends Migration {
  override name = 'Migration20261122054611_payout_keys';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "payments"."payout_attempt" add "idempotency_key" text null, add "ask_at" timestamptz(6) null, add "alarm" text null;`,
    );
    this.addSql(
      `comment on column "payments"."payout_attempt"."idempotency_key" is 'The name it is submitted under; null: the version before made it, as payment_id:number.';`,
    );
    this.addSql(
      `comment on column "payments"."payout_attempt"."ask_at" is 'When the provider is asked next; null: at once.';`,
    );
    this.addSql(`comment on column "payments"."payout_attempt"."alarm" is 'Why it waits for a person.';`);
    this.addSql(`alter table "payments"."payout_attempt" alter column "look_at" set default '9999-12-31T00:00:00Z';`);
    this.addSql(
      `comment on column "payments"."payout_attempt"."look_at" is 'Of the version before, which knows no keys but its own: it must not take what this one has prepared.';`,
    );
    this.addSql(
      `create index "payout_attempt_to_ask" on "payments"."payout_attempt" ("ask_at") where status in ('prepared', 'submitted');`,
    );
    this.addSql(
      `alter table "payments"."payout_attempt" add constraint "payout_attempt_key" unique ("idempotency_key");`,
    );
    this.addSql(
      `alter table "payments"."payout_attempt" add constraint "payout_attempt_alarm_check" check ("alarm" in ('not_found', 'differs'));`,
    );

    this.addSql(`alter table "payments"."sandbox_payout" add "payout_method" text null, add "destination" text null;`);
    this.addSql(
      `alter table "payments"."sandbox_payout" add constraint "sandbox_payout_payout_method_check" check ("payout_method" in ('bank_transfer', 'wise', 'payoneer', 'usdc_wallet', 'other'));`,
    );

    // What a provider is told of an attempt is written once: the same attempt is ordered the same every time.
    this.addSql(`revoke update on "payments"."payout_attempt" from "payments";`);
    this.addSql(
      `grant update ("status", "provider_reference", "looks", "ask_at", "look_at", "alarm", "updated_at") on "payments"."payout_attempt" to "payments";`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`grant update on "payments"."payout_attempt" to "payments";`);
    this.addSql(`drop index "payments"."payout_attempt_to_ask";`);
    this.addSql(`alter table "payments"."payout_attempt" drop constraint "payout_attempt_key";`);
    this.addSql(`alter table "payments"."payout_attempt" drop constraint "payout_attempt_alarm_check";`);
    this.addSql(
      `alter table "payments"."payout_attempt" drop column "idempotency_key", drop column "ask_at", drop column "alarm";`,
    );
    this.addSql(`alter table "payments"."payout_attempt" alter column "look_at" drop default;`);
    this.addSql(
      `comment on column "payments"."payout_attempt"."look_at" is 'When the provider is asked next; null: at once.';`,
    );

    this.addSql(`alter table "payments"."sandbox_payout" drop constraint "sandbox_payout_payout_method_check";`);
    this.addSql(`alter table "payments"."sandbox_payout" drop column "payout_method", drop column "destination";`);
  }
}
