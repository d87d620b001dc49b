export { edgeSettings, processSettings, type EdgeConfig, type ProcessConfig } from './config.js';
export { createEdge, openEdge, refuseUnknownRoute, type EdgeParts } from './edge.js';
export type { Refusal } from './edge-answers.js';
export { exchange, wasNeverSent, wasUnanswered } from './exchange.js';
export { ConfigError, readSettings, Settings } from './env.js';
export { finding, findings, findingsCommand, printFindings, type Finding } from './findings.js';
export {
  createHttpServer,
  createPlainServer,
  HTTP_LIMITS,
  type HttpLimits,
  type HttpServerOptions,
} from './http-server.js';
export { Drain, serveHealth, serveUntilStopped, waitingFor, type WaitingFor } from './lifecycle.js';
export { createLog, type Log } from './log.js';
export { routeOf } from './observe-requests.js';
export { escaped, PAGE_STYLE, pageOf } from './page.js';
export {
  DEVELOPMENT_MARK,
  oneSentence,
  refuseDevelopmentSecrets,
  runMain,
  StartError,
  type MainCommand,
} from './run-main.js';
