export { DEVELOPMENT_MARK, refuseDevelopmentSecrets } from './development-secrets.js';
export { Drain } from './drain.js';
export { ConfigError, readSettings, Settings } from './env.js';
export { finding, findings, printFindings, type Finding } from './finding.js';
export { findingsCommand } from './findings-command.js';
export { serveHealth, waitingFor, type WaitingFor } from './health.js';
export { ownHosts, type IsOwnHost } from './host-names.js';
export {
  createHttpServer,
  createPlainServer,
  HTTP_LIMITS,
  type HttpLimits,
  type HttpServerOptions,
} from './http-server.js';
export { addToEveryLine, createLog, levelOfAnswer, LOG_LEVELS, type Log, type LogLevel } from './log.js';
export { runMain, type MainCommand } from './run-main.js';
export { oneSentence } from './one-sentence.js';
export { drainSeconds, serveUntilStopped } from './serve-until-stopped.js';
export { StartError } from './start-error.js';
