import { copyDatabase, createDatabase } from '@payroll/infra/test-server';
import { migrate, openDatabase } from '@payroll/store';
import type { EntityManager } from '@mikro-orm/postgresql';
import { inject } from 'vitest';
import { paymentsSchema } from '../../src/store/schema.js';
import { Scene } from './scene.js';

/** One payments service across restores of its database, and a provider that no restore takes back. */
export class Histories implements AsyncDisposable {
  private copies = 0;

  private constructor(
    private readonly name: string,
    private current: string,
    /** In the current history; another one after each restore. */
    public scene: Scene,
    private readonly world: { em: EntityManager; close: () => Promise<void> },
  ) {}

  static async begin(name: string): Promise<Histories> {
    const { ownerUrl, urls } = await createDatabase(inject('backends'), `${name}_outside`);
    await migrate(paymentsSchema, ownerUrl);
    const orm = await openDatabase(paymentsSchema, urls.payments);
    const world = { em: orm.em.fork(), close: () => orm.close() };
    return new Histories(name, name, await Scene.open(name), world);
  }

  /** The provider's own database. */
  get outside(): EntityManager {
    return this.world.em;
  }

  /** A backup of this moment. */
  async backUp(): Promise<string> {
    const backup = await this.copy(this.current);
    this.scene = await Scene.over(this.current);
    return backup;
  }

  /** The database is again as it was when the backup was made. */
  async restore(backup: string): Promise<void> {
    this.current = await this.copy(backup);
    this.scene = await Scene.over(this.current);
  }

  private async copy(of: string): Promise<string> {
    const copy = `${this.name}_${++this.copies}`;
    await this.scene[Symbol.asyncDispose]();
    await copyDatabase(inject('backends'), of, copy);
    return copy;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.scene[Symbol.asyncDispose]();
    await this.world.close();
  }
}
