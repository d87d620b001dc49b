/**
 * A client's password for a server, or two while it is rotated. The server knows one of them, and not always the first: after a
 * refusal the other one is used.
 */
export class Passwords {
  constructor(
    private inUse: string,
    private other?: string,
  ) {}

  get current(): string {
    return this.inUse;
  }

  /** With the other password at once if this one is refused. */
  async connect<T>(connect: () => Promise<T>, isRefusal: (error: unknown) => boolean): Promise<T> {
    const { current } = this;
    try {
      return await connect();
    } catch (error) {
      if (!isRefusal(error) || !this.refused(current)) throw error;
      return await connect();
    }
  }

  /** @returns whether there is another one. Connections that are opened together may each report the same refusal. */
  refused(password: string): boolean {
    const { inUse, other } = this;
    if (other === undefined) return false;
    if (password === inUse) [this.inUse, this.other] = [other, inUse];
    return true;
  }
}
