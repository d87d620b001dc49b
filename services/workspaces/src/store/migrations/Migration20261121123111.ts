import { Migration } from '@mikro-orm/migrations';

export class Migration20261121123111 extends Migration {
  override name = 'Migration20261121123111';

  override up(): void | Promise<void> {
    this.addSql(`alter table "workspaces"."internal_token" add "owner" text null;`);
    this.addSql(
      `comment on column "workspaces"."internal_token"."owner" is 'The e-mail address of the person who holds it, in lower case.';`,
    );
    // Nobody knows whose these are, so they cannot count as a person; a new one is minted in a moment.
    this.addSql(
      `update "workspaces"."internal_token" set revoked_at = now() where team <> 'service' and revoked_at is null;`,
    );
    this.addSql(
      `alter table "workspaces"."internal_token" add constraint "internal_token_owner_check" check (team = 'service' or owner is not null or revoked_at is not null);`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "workspaces"."internal_token" drop constraint "internal_token_owner_check";`);
    this.addSql(`alter table "workspaces"."internal_token" drop column "owner";`);
  }
}
