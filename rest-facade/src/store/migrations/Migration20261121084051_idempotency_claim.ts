import { Migration } from '@mikro-orm/migrations';

export class Migration20261121084051_idempotency_claim extends Migration {
  override name = 'Migration20261121084051_idempotency_claim';

  override up(): void {
    this.addSql(`create schema if not exists "rest_facade";`);
    this.addSql(`
      create table "rest_facade"."idempotency_claim" (
        "principal_id" uuid not null,
        "key" text not null,
        "fingerprint" text not null,
        "operation_id" uuid not null,
        "attempt" int not null,
        "state" text not null,
        "request_id" text not null,
        "begun_at" timestamptz(6) not null,
        "lease_until" timestamptz(6) not null,
        "finished_at" timestamptz(6) null,
        "status" int null,
        "body" text null,
        primary key ("principal_id", "key")
      );`);
    this.addSql(
      `comment on column "rest_facade"."idempotency_claim"."fingerprint" is 'Digest of method, path with ids and body: another request may not use the key.';`,
    );
    this.addSql(
      `comment on column "rest_facade"."idempotency_claim"."operation_id" is 'What the services know the operation by: the same for every attempt.';`,
    );
    this.addSql(
      `comment on column "rest_facade"."idempotency_claim"."request_id" is 'The request that works on it, or that finished it.';`,
    );
    this.addSql(
      `comment on column "rest_facade"."idempotency_claim"."lease_until" is 'A running claim whose lease has lapsed may be taken over.';`,
    );
    this.addSql(
      `create index "idempotency_claim_kept" on "rest_facade"."idempotency_claim" ("finished_at") where body is not null;`,
    );
    this.addSql(
      `alter table "rest_facade"."idempotency_claim" add constraint "idempotency_claim_state_check" check ("state" in ('running', 'done'));`,
    );
    // Delete is for keys that a refusal frees; the fence in the statement keeps it from every other row.
    this.addSql(`grant select, insert, update, delete on "rest_facade"."idempotency_claim" to rest_facade;`);
  }
}
