export { edgeSettings, processSettings, type EdgeConfig, type ProcessConfig } from './settings/config.js';
export {
  createEdge,
  hostAllowList,
  HTTP_STATUS,
  plainRefusal,
  refuseUnknownRoute,
  type EdgeDependencies,
  type ErrorResponse,
} from './http/edge.js';
export { exchange, openPool, wasNeverSent, wasUnanswered } from './http/exchange.js';
export { ConfigError, readSettings, Settings } from './settings/env.js';
export {
  cellHint,
  claimOf,
  deploymentName,
  processLabels,
  otherClaim,
  type Deployment,
  type DeploymentName,
} from './deployment.js';
export { Passwords } from './settings/passwords.js';
export { oneOrTwo } from './settings/setting-values.js';
export { checkResult, runCheck, checkCommand, printResults, type CheckResult } from './checks.js';
export { createHttpServer, createPlainServer, HTTP_LIMITS, type HttpLimits } from './http/http-server.js';
export {
  Drain,
  openServer,
  serveHealth,
  serveUntilStopped,
  createReadinessCheck,
  type ReadinessCheck,
} from './http/lifecycle.js';
export { inTime } from './in-time.js';
export { createLog, type Log } from './log.js';
export { routeOf } from './http/observe-requests.js';
export { escapeHtml, PAGE_STYLE, renderHtmlPage } from './http/page.js';
export { DEVELOPMENT_MARK, errorSentence, runMain, StartError, type MainCommand } from './run-main.js';
export { metrics } from './telemetry/catalogue.js';
export { onScrape, startMetrics } from './telemetry/scrape.js';
export {
  withSpanInEach,
  currentTraceparent,
  withRootSpan,
  startTracing,
  withSpan,
  withRemoteSpan,
  commandSpanName,
  fieldSpanName,
} from './telemetry/steps.js';
export type { TracingConfig } from './telemetry/collector.js';
