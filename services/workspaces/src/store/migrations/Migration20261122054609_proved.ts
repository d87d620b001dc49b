import { Migration } from '@mikro-orm/migrations';

export class Migration20261122054609_proved extends Migration {
  override name = 'Migration20261122054609_proved';

  override up(): void | Promise<void> {
    // Whoever is invited while a process of the version before is still there, and comes to that one, is asked to try again.
    this.addSql(`alter table "workspaces"."account" drop constraint "account_email";`);
    this.addSql(`alter table "workspaces"."account" add "proved_at" timestamptz(6) null;`);
    this.addSql(
      `comment on column "workspaces"."account"."proved_at" is 'When somebody opened a link that was sent to the address; null while nobody has.';`,
    );
    this.addSql(`create index "account_of_email" on "workspaces"."account" ("email");`);
    this.addSql(
      `create unique index "account_proved" on "workspaces"."account" ("email") where proved_at is not null;`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop index "workspaces"."account_of_email";`);
    this.addSql(`drop index "workspaces"."account_proved";`);
    this.addSql(`alter table "workspaces"."account" drop column "proved_at";`);
    this.addSql(`alter table "workspaces"."account" add constraint "account_email" unique ("email");`);
  }
}
