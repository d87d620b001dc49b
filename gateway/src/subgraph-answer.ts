/** What a subgraph says to one operation. */
export interface SubgraphAnswer {
  data?: Record<string, unknown> | null;
  /** `replayed`: the change had been made before, by the same operation id. */
  extensions?: { replayed?: true };
  errors?: readonly { message: string; extensions?: Record<string, unknown> }[];
}
