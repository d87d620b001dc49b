import { admissionSettings } from '@payroll/admission';
import { subgraphSettings } from '@payroll/gateway';
import { publicOrigin } from '@payroll/pages';
import { edgeSettings, readSettings } from '@payroll/runtime';

export type ConsoleConfig = ReturnType<typeof readConfig>;

/** @throws ConfigError naming each variable that is missing or not valid. */
export function readConfig(env: NodeJS.ProcessEnv) {
  return readSettings(env, (s) => {
    const deployment = s.choice('DEPLOYMENT', ['test', 'live']);
    const authUrl = s.url('APP_URL', ['http:', 'https:']);
    // Each is undefined if its setting is invalid; `readSettings` reports all invalid settings together.
    const isReadable = authUrl !== undefined && deployment !== undefined;
    return {
      ...edgeSettings(s, 4006),
      deployment,
      admission: admissionSettings(s),
      subgraphs: subgraphSettings(s),
      /** Where people find these pages, and sign in. */
      origin: isReadable ? publicOrigin(authUrl, deployment) : '',
    };
  });
}
