import { Migration } from '@mikro-orm/migrations';

export class Migration20261122190358_session_proof extends Migration {
  override name = 'Migration20261122190358_session_proof';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "workspaces"."session" add "proof_hash" text generated always as (rtrim(translate(encode(sha256(decode(secret_hash, 'escape')), 'base64'), '+/', '-_'), '=')) stored not null;`,
    );
    this.addSql(
      `comment on column "workspaces"."session"."proof_hash" is 'Of secret_hash, which is what travels to admission (ADR 0005). Once every process looks here, secret_hash can go.';`,
    );
    this.addSql(`alter table "workspaces"."session" add constraint "session_proof" unique ("proof_hash");`);
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "workspaces"."session" drop constraint "session_proof";`);
    this.addSql(`alter table "workspaces"."session" drop column "proof_hash";`);
  }
}
