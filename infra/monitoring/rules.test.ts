import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { monitoringFiles, type Receivers } from '../docker/monitoring.js';

const here = import.meta.dirname;
const missing = ['promtool', 'amtool'].filter((name) => spawnSync(name, ['--version']).error !== undefined);
if (missing.length > 0 && process.env['CI']) {
  throw new Error('Alerts are tested in CI: apt install prometheus prometheus-alertmanager');
}

const promtool = (...args: string[]): string => execFileSync('promtool', args, { cwd: here, encoding: 'utf8' });

/** The file of Alertmanager that set-up writes for these receivers. */
function alertmanagerFile(receivers: Receivers): string {
  const dir = mkdtempSync(join(tmpdir(), 'payroll-alerts-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const [, file] = monitoringFiles({
    publicUrls: [],
    postgres: { address: 'postgres:5432', hasTls: false },
    nats: { addresses: ['nats:4222'], hasTls: false },
    receivers,
  });
  const path = join(dir, 'alertmanager.yml');
  writeFileSync(path, file!.content);
  execFileSync('amtool', ['check-config', path], { stdio: 'pipe' });
  return path;
}

/** The name of the receiver of an alert with these labels. */
const receiverOf = (path: string, ...labels: string[]): string =>
  execFileSync('amtool', ['config', 'routes', 'test', `--config.file=${path}`, ...labels], {
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();

describe.skipIf(missing.length > 0)(
  `alerts${missing.length > 0 ? `, skipped: no ${missing.join(', ')} (apt install prometheus prometheus-alertmanager)` : ''}`,
  () => {
    test('each alert fires when it should, and does not when it should not', { timeout: 120_000 }, () => {
      expect(promtool('test', 'rules', 'prometheus/alerts.test.yml')).toContain('SUCCESS');
    });

    test.each(['prometheus.yml', 'local.yml'])('Prometheus accepts %s and its rules', { timeout: 30_000 }, (file) => {
      expect(promtool('check', 'config', `prometheus/${file}`)).toMatch(/SUCCESS: \d+ rules found/);
    });

    test('without a receiver every alert goes nowhere', () => {
      const file = alertmanagerFile({});
      expect(receiverOf(file, 'alertname=PostgresDown', 'severity=page')).toBe('nowhere');
      expect(receiverOf(file, 'alertname=DeadMansSwitch')).toBe('nowhere');
    });

    const server = new URL('smtps://payroll@mail.example.com');
    const mail = { to: 'ops@example.com', from: 'Payroll <payroll@example.com>', server, password: 'p' };
    test.each<[string, Receivers]>([
      ['a webhook', { webhook: 'https://hooks.example/token' }],
      ['mail', { mail }],
      ['both', { webhook: 'https://hooks.example/token', mail }],
    ])("alerts go to people by %s, and the dead man's switch to its own address alone", (_, receivers) => {
      const file = alertmanagerFile({ ...receivers, heartbeat: 'https://heartbeat.example/id' });
      expect(receiverOf(file, 'alertname=PostgresDown', 'severity=page')).toBe('people');
      expect(receiverOf(file, 'alertname=DeadMansSwitch', 'severity=none')).toBe('heartbeat');
    });
  },
);
