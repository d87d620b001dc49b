/** Every service with its default port. Roles, schemas, NATS users, actor keys and subgraphs follow from this list. */
export const SERVICE_PORTS = { workspaces: 4011, contracts: 4012, review: 4013, payments: 4014 } as const;

export type ServiceName = keyof typeof SERVICE_PORTS;

export const SERVICES = Object.keys(SERVICE_PORTS) as readonly ServiceName[];

export function recordOf<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;
}
