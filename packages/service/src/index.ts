export { byKeys, keysOf } from './by-keys.js';
export { doctorCommand, schemaCommand, serve, serviceCommands } from './commands.js';
export { serviceSettings, type ProcessConfig } from './config.js';
export { deadLettersCommand } from './dead-letters/shell.js';
export type { ServiceDefinition, ServiceParts } from './definition.js';
export { notSetAside, observeSetAside, setAside, SetAsideTable, startRunner } from './runner.js';
export { learnBy, startService } from './serve.js';
