import { Migration } from '@mikro-orm/migrations';

export class Migration20261122053543_milestone_agreement extends Migration {
  override name = 'Migration20261122053543_milestone_agreement';

  override up(): void | Promise<void> {
    this.addSql(`alter table "review"."milestone" add "agreement" int not null default 0;`);
    this.addSql(
      `comment on column "review"."milestone"."agreement" is 'How often contracts had agreed on it anew when it was taken over.';`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "review"."milestone" drop column "agreement";`);
  }
}
