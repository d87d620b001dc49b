export type { Caller } from './subgraph-source.js';
export { subgraphSettings, type SubgraphUrls } from './config.js';
export { Gateway, type GatewayOptions } from './gateway.js';
export type { PreparedOperation } from './prepared-operation.js';
export { supergraph } from './supergraph.js';
