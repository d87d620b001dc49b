export { ConfigError, readSettings, Settings } from './env.js';
export { createLog, LOG_LEVELS, type Log, type LogLevel } from './log.js';
export { runMain, StartError, untilStopped, type MainCommand } from './run-main.js';
