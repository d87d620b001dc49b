import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { checkAlerts } from './alerts.js';

/** A `docker` that knows one running container of Alertmanager, or none, whose amtool prints this receiver; and a stopped one. */
function withDocker(container: string, receiver: string, stopped = ''): void {
  const dir = mkdtempSync(join(tmpdir(), 'payroll-docker-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const script = `#!/bin/sh\ncase "$*" in ps*--all*) echo '${stopped}' ;; ps*) echo '${container}' ;;  exec*) [ "$2 $3" = '${container} amtool' ] && echo '${receiver}' ;; esac\n`;
  writeFileSync(join(dir, 'docker'), script);
  chmodSync(join(dir, 'docker'), 0o755);
  vi.stubEnv('PATH', `${dir}${delimiter}${process.env['PATH']}`);
  onTestFinished(() => void vi.unstubAllEnvs());
}

test('an Alertmanager without a receiver is named, with what to do', async () => {
  withDocker('c0ffee', 'nowhere');
  expect(await checkAlerts('payroll')).toEqual([
    {
      ok: false,
      what: 'Alertmanager sends alerts on',
      seen: 'it sends them nowhere',
      todo: expect.stringContaining('alert-webhook'),
    },
  ]);
});

test('an Alertmanager with a receiver is all right', async () => {
  withDocker('c0ffee', 'people');
  expect(await checkAlerts('payroll')).toEqual([{ ok: true, what: 'Alertmanager sends alerts on' }]);
});

test('an Alertmanager that is stopped is named', async () => {
  withDocker('', '', 'c0ffee');
  expect(await checkAlerts('payroll')).toMatchObject([{ ok: false, seen: 'its container is stopped' }]);
});

test('nothing is said where there is no Alertmanager, and without containers docker is not asked', async () => {
  withDocker('', '');
  expect(await checkAlerts('payroll')).toEqual([]);
  vi.stubEnv('PATH', '/nowhere');
  expect(await checkAlerts(undefined)).toEqual([]);
});
