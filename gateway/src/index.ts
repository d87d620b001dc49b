export type { Caller } from './subgraph-source.js';
export { subgraphSettings } from './config.js';
export { Gateway } from './gateway.js';
export type { PreparedOperation } from './prepared-operation.js';
export { supergraph } from './supergraph.js';
