import { Migration } from '@mikro-orm/migrations';

export class Migration20261124000000_first extends Migration {
  override name = 'Migration20261124000000_first';

  override up(): void | Promise<void> {
    this.addSql(`create schema if not exists "rest_facade";`);
    this.addSql(
      `create table "rest_facade"."idempotency_key" ("principal_id" uuid not null, "key" text not null, "fingerprint" text not null, primary key ("principal_id", "key"));`,
    );
    this.addSql(
      `comment on column "rest_facade"."idempotency_key"."fingerprint" is 'Digest of method, path with ids and body: another request may not use the key.';`,
    );

    // No update: which request a key is for does not change. Delete is for keys that a recorded refusal frees.
    this.addSql(`grant select, insert, delete on "rest_facade"."idempotency_key" to "rest_facade";`);
    // `doctor` compares the applied migrations with those of the code.
    this.addSql(`grant select on "rest_facade"."migration" to "rest_facade";`);
  }
}
