import { checkResult, runCheck, type CheckResult } from '@payroll/runtime';
import { NOWHERE } from '@payroll/infra/docker/monitoring';
import { docker, findContainers } from '../containers.js';

const WHAT = 'Alertmanager sends alerts on';
const ADVICE =
  'put the address of a webhook into the file alert-webhook of SECRETS_DIR, or set ALERT_MAIL_TO (docs/operations.md)';

/** Asks the project's Alertmanager who gets an alert. Nothing is checked where the profile "monitoring" was never started. */
export async function checkAlerts(project: string | undefined): Promise<CheckResult[]> {
  if (project === undefined) return [];
  const [container] = await findContainers(project, 'alertmanager');
  if (container === undefined) {
    const isStopped = (await findContainers(project, 'alertmanager', 'all')).length > 0;
    const start = 'start it again: docker-compose --profile monitoring up --detach';
    return isStopped ? [checkResult(WHAT, false, 'its container is stopped', start)] : [];
  }
  return await runCheck(WHAT, 'is alertmanager running? its log says more', async () => {
    const test = ['config', 'routes', 'test', '--config.file=/run/payroll/alertmanager.yml', 'severity=page'];
    const receiver = await docker('exec', container, 'amtool', ...test);
    return [checkResult(WHAT, receiver !== NOWHERE, 'it sends them nowhere', ADVICE)];
  });
}
