export type { EventCommands, EventConsumerOptions } from './apply-event.js';
export { EventConsumer } from './event-consumer.js';
export { lookAtStreams } from './look-at-streams.js';
export { answerAsk, ask, resumeTrace } from './newest-event.js';
export { lookAtOutbox } from './observe-events.js';
export { OutboxRelay } from './outbox-relay.js';
export { forgetEvents } from './outbox-rows.js';
export { ensureStream } from './streams.js';
export type { EventCommand, EventRunner } from './turn.js';
