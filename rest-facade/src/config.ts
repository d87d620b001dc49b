import { subgraphSettings, type SubgraphUrls } from '@payroll/gateway';
import { databaseSettings, type DatabaseSettings } from '@payroll/store';
import { natsSettings, type NatsSettings } from '@payroll/bus';
import type { Deployment } from '@payroll/admission';
import { edgeSettings, readSettings, type EdgeConfig } from '@payroll/process';

export interface FacadeConfig extends EdgeConfig {
  /** Which API keys are accepted. */
  deployment: Deployment;
  database: DatabaseSettings;
  nats: NatsSettings;
  subgraphs: SubgraphUrls;
  /** Where integrators reach `/v1`, as the OpenAPI document says it. */
  publicUrl: string;
}

/** @throws ConfigError naming each variable that is missing or not valid. */
export function readConfig(env: NodeJS.ProcessEnv): FacadeConfig {
  return readSettings(env, (s) => ({
    ...edgeSettings(s, 4000),
    deployment: s.choice('DEPLOYMENT', ['test', 'live']),
    database: databaseSettings(s),
    nats: natsSettings(s),
    subgraphs: subgraphSettings(s),
    publicUrl: s.url('PUBLIC_URL', ['http:', 'https:'], '/v1'),
  }));
}
