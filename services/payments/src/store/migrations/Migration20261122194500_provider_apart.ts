import { Migration } from '@mikro-orm/migrations';

export class Migration20261122194500_provider_apart extends Migration {
  override name = 'Migration20261122194500_provider_apart';

  override up(): void | Promise<void> {
    // From here on the provider is another process. What the version before, which may still run, would order in this table
    // nobody else could see: it fails there, and the attempt is taken up by this version.
    this.addSql(`revoke insert, update on "payments"."sandbox_payout" from "payments";`);
  }

  override down(): void | Promise<void> {
    this.addSql(`grant insert, update on "payments"."sandbox_payout" to "payments";`);
  }
}
