import { Migration } from '@mikro-orm/migrations';

export class Migration20261122223324_agreement extends Migration {
  override name = 'Migration20261122223324_agreement';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "contracts"."agreement" ("workspace_id" uuid not null, "contract_id" uuid not null, "number" int not null, "text" text not null, "digest" text not null, "holds_from" date null, "made_at" timestamptz(6) not null, "made_by" uuid not null, "business_signed_at" timestamptz(6) null, "business_signed_by" uuid null, "worker_signed_at" timestamptz(6) null, "worker_signed_by" uuid null, primary key ("workspace_id", "contract_id", "number"));`,
    );
    this.addSql(`comment on column "contracts"."agreement"."digest" is 'SHA-256 of the text; what is signed.';`);
    this.addSql(
      `comment on column "contracts"."agreement"."holds_from" is 'Of an amendment; the contract says itself when it begins.';`,
    );
    this.addSql(
      `comment on column "contracts"."agreement"."made_by" is 'The principal who sent it for signature, or changed the terms.';`,
    );

    this.addSql(`alter table "contracts"."worker" add "revision" int not null default 1;`);

    // A text that is fixed is never rewritten, and none is deleted: what changes of it is that it is signed.
    this.addSql(`grant select, insert on "contracts"."agreement" to "contracts";`);
    this.addSql(
      `grant update ("business_signed_at", "business_signed_by", "worker_signed_at", "worker_signed_by") on "contracts"."agreement" to "contracts";`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "contracts"."agreement" cascade;`);

    this.addSql(`alter table "contracts"."worker" drop column "revision";`);
  }
}
