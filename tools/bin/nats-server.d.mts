export interface Host {
  readonly path: string;
  readonly isRoot: boolean;
  /** Where nats-server is looked for in addition to the PATH. */
  readonly places?: readonly string[];
}

export function thisHost(): Host;
export function findProgram(program: string, host: Host): string | undefined;
export function missingNats(host?: Host): string | undefined;
