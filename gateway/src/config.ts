import { admissionSettings } from '@payroll/admission';
import { recordOf, SERVICES, type ServiceName } from '@payroll/kernel';
import { edgeSettings, readSettings, type Settings } from '@payroll/runtime';

export type SubgraphUrls = Readonly<Record<ServiceName, string>>;

export type GatewayConfig = ReturnType<typeof readConfig>;

/** @throws ConfigError naming each variable that is missing or not valid. */
export function readConfig(env: NodeJS.ProcessEnv) {
  return readSettings(env, (s) => ({
    ...edgeSettings(s, 4001),
    admission: admissionSettings(s),
    /** Path of the `stack.json` of `npm start`, which has the explorer's token; null in other deployments. */
    explorerStack: explorerStack(s),
    subgraphs: subgraphSettings(s),
  }));
}

/** `REVIEW_URL` and its like, one for each service. */
export function subgraphSettings(s: Settings): SubgraphUrls {
  return recordOf(SERVICES, (name) => s.url(`${name.toUpperCase()}_URL`, ['http:', 'https:']));
}

/** A page that comes with a token is for a machine of one's own: a live process does not start with it. */
function explorerStack(s: Settings): string | null {
  const file = s.text('EXPLORER_STACK', '');
  if (file === '') return null;
  s.choice('DEPLOYMENT', ['test']);
  return file;
}
