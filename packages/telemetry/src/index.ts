export { metrics } from './metrics/catalogue.js';
export { observeRequests, routeOf } from './metrics/observe-requests.js';
export { onScrape } from './metrics/readings.js';
export { startTelemetry, telemetrySettings, type TelemetryConfig } from './telemetry.js';
