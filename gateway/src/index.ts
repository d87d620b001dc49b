export type { Caller } from './subgraph-source.js';
export { subgraphSettings } from './config.js';
export { Gateway, type PreparedOperation } from './gateway.js';
export { supergraph } from './supergraph.js';
