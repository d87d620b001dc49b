/** Blocks the caller until the test opens it, and reports its arrival. */
export class Gate {
  private readonly arrival = Promise.withResolvers<void>();
  private readonly opening = Promise.withResolvers<void>();

  async pass(): Promise<void> {
    this.arrival.resolve();
    await this.opening.promise;
  }

  get reached(): Promise<void> {
    return this.arrival.promise;
  }

  open(): void {
    this.opening.resolve();
  }
}
