/**
 * Every service, and the port it listens on unless it is told another one. Roles, schemas, users of NATS, actor keys,
 * subgraphs and local processes follow from this list; what a service hears follows from the catalogue of events.
 */
export const SERVICE_PORTS = { workspaces: 4011, contracts: 4012, review: 4013, payments: 4014 } as const;

export type ServiceName = keyof typeof SERVICE_PORTS;

export const SERVICES = Object.keys(SERVICE_PORTS) as readonly ServiceName[];

/** An object with an entry for each of the names. */
export function byName<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;
}
