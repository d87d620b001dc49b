export type { EventConsumerOptions, EventHandler, EventHandlers } from './apply-event.js';
export { answerAsk, ask } from './ask.js';
export { EventConsumer } from './event-consumer.js';
export { lookAtOutbox } from './look-at-outbox.js';
export { lookAtStreams, type StreamsOptions } from './look-at-streams.js';
export { forgetEvents } from './forget-events.js';
export { OutboxRelay, type OutboxRelayOptions } from './outbox-relay.js';
export { resumeTrace } from './resume-trace.js';
export { ensureStream } from './stream.js';
