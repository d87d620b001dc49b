import { SERVICES, type Deployment, type ServiceName } from '@payroll/admission';
import { readSettings } from '@payroll/process';
import { serviceSettings, type ServiceConfig } from '@payroll/service';

export interface WorkspacesConfig extends ServiceConfig {
  deployment: Deployment;
  /** Mints the actor tokens of each service. */
  actorKeys: Record<ServiceName, Buffer>;
}

/** @throws ConfigError naming each variable that is missing or not valid. */
export function readConfig(env: NodeJS.ProcessEnv): WorkspacesConfig {
  return readSettings(env, (s) => ({
    ...serviceSettings(s, 4011),
    deployment: s.choice('DEPLOYMENT', ['test', 'live']),
    actorKeys: s.keys('ACTOR_KEYS', SERVICES),
  }));
}
