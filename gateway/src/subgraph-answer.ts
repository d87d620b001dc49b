/** What a subgraph says to one operation. */
export interface SubgraphAnswer {
  data?: Record<string, unknown> | null;
  errors?: readonly { message: string; extensions?: Record<string, unknown> }[];
}
