export { Drain } from './drain.js';
export { ConfigError, readSettings, Settings } from './env.js';
export { serveHealth, waitingFor, type WaitingFor } from './health.js';
export { createLog, LOG_LEVELS, type Log, type LogLevel } from './log.js';
export { runMain, StartError, type MainCommand } from './run-main.js';
export { drainSeconds, serveUntilStopped } from './serve-until-stopped.js';
