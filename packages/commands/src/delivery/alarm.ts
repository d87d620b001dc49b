/** A sleep that others can end; a ring while awake ends the next sleep at once. */
export class Alarm {
  private rung = false;
  private wake: (() => void) | undefined;

  ring(): void {
    this.rung = true;
    this.wake?.();
  }

  async sleep(ms: number): Promise<void> {
    if (!this.rung) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.wake = resolve;
      const timer = setTimeout(resolve, ms);
      timer.unref();
      await promise;
      clearTimeout(timer);
    }
    this.rung = false;
    this.wake = undefined;
  }
}
