export { connectNats, type Bus } from './bus.js';
export { noAnswer, whyNoReply, type RequestHandler } from './request-reply.js';
export { natsSettings, type NatsSettings } from './settings.js';
