export { metrics } from './metrics/catalogue.js';
export { observeRequests, routeOf } from './metrics/observe-requests.js';
export { onScrape } from './metrics/readings.js';
export {
  asStepsOf,
  currentTraceparent,
  isTracing,
  startTrace,
  step,
  stepOf,
  type StepDetails,
} from './tracing/steps.js';
export { traceRequests } from './tracing/trace-requests.js';
export { wordsOfCommand, wordsOfField } from './tracing/words.js';
export { startTelemetry, telemetrySettings, type TelemetryConfig } from './telemetry.js';
