import { Migration } from '@mikro-orm/migrations';

export class Migration20261122053805_access extends Migration {
  override name = 'Migration20261122053805_access';

  override up(): void | Promise<void> {
    this.addSql(`alter table "workspaces"."invitation" add "invited_by" uuid null;`);
    this.addSql(
      `comment on column "workspaces"."invitation"."invited_by" is 'The membership of the admin; null for internal teams.';`,
    );
    this.addSql(`update "workspaces"."invitation" i set invited_by = a.principal_id
      from "workspaces"."audit_entry" a
      where a.action = 'member.invited' and a.subject_id = i.id and a.actor_kind = 'person';`);

    this.addSql(
      `alter table "workspaces"."session" add "authenticated_at" timestamptz(6) not null default now(), add "draft" jsonb null;`,
    );
    this.addSql(
      `comment on column "workspaces"."session"."authenticated_at" is 'When the password was last given in it.';`,
    );
    this.addSql(`update "workspaces"."session" set authenticated_at = created_at;`);
    this.addSql(
      `comment on column "workspaces"."session"."draft" is 'What was typed into a form that could not be sent, until it is shown again.';`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "workspaces"."invitation" drop column "invited_by";`);

    this.addSql(`alter table "workspaces"."session" drop column "authenticated_at", drop column "draft";`);
  }
}
