import { subgraphSettings } from '@payroll/gateway';
import { databaseSettings } from '@payroll/store';
import { admissionSettings } from '@payroll/admission';
import { edgeSettings, readSettings } from '@payroll/runtime';

export type FacadeConfig = ReturnType<typeof readConfig>;

/** @throws ConfigError naming each variable that is missing or not valid. */
export function readConfig(env: NodeJS.ProcessEnv) {
  return readSettings(env, (s) => ({
    ...edgeSettings(s, 4000),
    /** Which API keys are accepted. */
    deployment: s.choice('DEPLOYMENT', ['test', 'live']),
    database: databaseSettings(s),
    admission: admissionSettings(s),
    subgraphs: subgraphSettings(s),
    /** The share of answers that is compared with the public contract (ADR 07). */
    checkedShare: s.share('RESPONSE_CHECK_RATIO', 0.01),
    /** Where integrators reach `/v1`, as the OpenAPI document says it. */
    publicUrl: s.url('PUBLIC_URL', ['http:', 'https:'], '/v1'),
    /** The public address of `/mcp`, as shown in the guide. */
    mcpUrl: s.url('MCP_URL', ['http:', 'https:'], ''),
  }));
}
