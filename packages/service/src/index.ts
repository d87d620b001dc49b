export { byKeys, keysOf } from './by-keys.js';
export { schemaCommand, serve, serviceCommands } from './commands.js';
export { serviceSettings, type ProcessConfig, type ServiceConfig } from './config.js';
export type { ServiceDefinition, ServiceParts } from './definition.js';
export { doctorCommand } from './commands.js';
export { learnBy } from './serve.js';
export { startRunner, type RunnerOptions } from './runner.js';
export { notSetAside, observeSetAside, setAside, SetAsideTable } from './runner.js';
export { startService } from './serve.js';
