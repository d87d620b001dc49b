export { metrics } from './catalogue.js';
export { onScrape, startMetrics } from './readings.js';
export {
  asStepsOf,
  beginTrace,
  currentTraceparent,
  isTracing,
  startTrace,
  startTracing,
  step,
  stepOf,
  traceIdForLog,
  wordsOfCommand,
  wordsOfField,
  type OpenStep,
} from './steps.js';
export type { TracingConfig } from './collector.js';
