export { connectNats, type Bus } from './bus.js';
export type { Log } from './log.js';
export type { NatsOptions } from './nats-options.js';
export { natsSettings, type NatsSettings } from './settings.js';
export { pause } from './pause.js';
export { noAnswer, type RequestHandler } from './request-reply.js';
