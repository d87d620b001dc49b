export type { EventConsumerOptions, EventHandlers } from './apply-event.js';
export { answerAsk, ask, type EventQuestion } from './ask.js';
export { connectNats, type Bus } from './bus.js';
export { EventConsumer } from './event-consumer.js';
export type { Log } from './log.js';
export type { NatsOptions } from './nats-options.js';
export { OutboxRelay, type OutboxRelayOptions } from './outbox-relay.js';
export type { RequestHandler } from './request-reply.js';
export { ensureStream } from './stream.js';
