import { copyDatabase } from '@payroll/tools/local/test-server';
import { inject } from 'vitest';
import { TestSandbox } from './sandbox.js';
import { Scene } from './scene.js';

/** One payments service across restores of its database, and a provider that no restore affects. */
export class Histories implements AsyncDisposable {
  private copies = 0;

  private constructor(
    private readonly name: string,
    private current: string,
    /** The scene of the current database generation; replaced by each restore. */
    public scene: Scene,
    /** The provider, with its own books. */
    readonly outside: TestSandbox,
  ) {}

  static async begin(name: string): Promise<Histories> {
    const outside = await TestSandbox.open();
    return new Histories(name, name, await Scene.open(name, outside), outside);
  }

  /** A backup of the current state. */
  async backUp(): Promise<string> {
    const backup = await this.copy(this.current);
    this.scene = await Scene.over(this.current, this.outside);
    return backup;
  }

  /** The database is again as it was when the backup was made. */
  async restore(backup: string): Promise<void> {
    await this.replace(backup);
    await this.scene.compare();
  }

  /** Restores, and forgets the provider's orders of earlier tests. */
  async startOver(backup: string): Promise<void> {
    this.outside.disregardOrders();
    await this.restore(backup);
  }

  /** As `restore`, but the provider's orders are not compared yet. */
  async replace(backup: string): Promise<void> {
    this.current = await this.copy(backup);
    this.scene = await Scene.over(this.current, this.outside);
  }

  private async copy(of: string): Promise<string> {
    const copy = `${this.name}_${++this.copies}`;
    await this.scene[Symbol.asyncDispose]();
    await copyDatabase(inject('backends'), of, copy);
    return copy;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.scene[Symbol.asyncDispose]();
    await this.outside[Symbol.asyncDispose]();
  }
}
