/** Pauses a program at a named step until it is resumed. One pause at a time. */
export class Gate {
  private step: string | undefined;
  private arrived: () => void = () => {};
  private letGo: () => void = () => {};
  private released: Promise<void> = Promise.resolve();

  /** Resolves when the program has reached the step. */
  async pauseAt(step: string): Promise<void> {
    this.step = step;
    this.released = new Promise((resolve) => (this.letGo = resolve));
    await new Promise<void>((resolve) => (this.arrived = resolve));
  }

  resume(): void {
    this.step = undefined;
    this.letGo();
  }

  async pass(step: string): Promise<void> {
    if (step !== this.step) return;
    this.step = undefined;
    this.arrived();
    await this.released;
  }
}

/** Wraps an object: each method named in `steps` passes the gate after it has succeeded or failed. */
export function gated<Target extends object>(
  target: Target,
  gate: Gate,
  steps: Readonly<Record<string, string>>,
): Target {
  return new Proxy(target, {
    get(object, name) {
      const value: unknown = Reflect.get(object, name, object);
      if (typeof value !== 'function') return value;
      const step = steps[String(name)];
      return async (...args: unknown[]) => {
        try {
          return (await Reflect.apply(value, object, args)) as unknown;
        } finally {
          if (step !== undefined) await gate.pass(step);
        }
      };
    },
  });
}
