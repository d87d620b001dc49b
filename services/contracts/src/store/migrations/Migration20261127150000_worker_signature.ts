import { Migration } from '@mikro-orm/migrations';

export class Migration20261127150000_worker_signature extends Migration {
  override name = 'Migration20261127150000_worker_signature';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "contracts"."agreement" add "worker_proof" jsonb null, add "changes_asked" text null, add "changes_asked_at" timestamptz(6) null, add "proposed" jsonb null, add "withdrawn_at" timestamptz(6) null;`,
    );
    this.addSql(
      `comment on column "contracts"."agreement"."worker_proof" is 'How the worker signed in person; null until then.';`,
    );
    this.addSql(
      `comment on column "contracts"."agreement"."changes_asked" is 'What the worker asked to be changed before they sign.';`,
    );
    this.addSql(
      `comment on column "contracts"."agreement"."proposed" is 'Of an amendment that needs the worker: the terms that hold from their signature.';`,
    );

    // The rest of a text is never rewritten.
    this.addSql(
      `grant update ("worker_proof", "changes_asked", "changes_asked_at", "withdrawn_at", "holds_from") on "contracts"."agreement" to "contracts";`,
    );
  }
}
