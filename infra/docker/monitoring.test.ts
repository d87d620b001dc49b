import { expect, test } from 'vitest';
import { monitoringFiles, type MonitoringSettings, type Receivers } from './monitoring.js';

const server = new URL('smtp://payroll@mail.example.com:2525');
const settings: MonitoringSettings = {
  publicUrls: ['https://api.example/v1', 'https://app.example:8443', 'https://api.example/mcp'],
  postgres: { address: 'db.internal:5432', hasTls: true },
  nats: { addresses: ['nats-1:4222', 'nats-2:4222'], hasTls: true },
  receivers: {},
};
const contentOf = (file: string, changed: Partial<MonitoringSettings> = {}): unknown =>
  JSON.parse(monitoringFiles({ ...settings, ...changed }).find((each) => each.file === file)!.content);
const receiversOf = (receivers: Receivers) =>
  (contentOf('alertmanager.yml', { receivers }) as { receivers: object[] }).receivers;

test('each public address and each server is probed once, with the module of its kind', () => {
  expect(contentOf('addresses.yml')).toEqual([
    { targets: ['api.example:443', 'app.example:8443'], labels: { __param_module: 'public' } },
    { targets: ['nats-1:4222', 'nats-2:4222'], labels: { __param_module: 'nats-tls' } },
    { targets: ['db.internal:5432'], labels: { __param_module: 'postgres-tls' } },
  ]);
});

test('on one machine, without TLS, only NATS is probed: its exporter asks Postgres itself', () => {
  const local = { address: 'postgres:5432', hasTls: false };
  const nats = { addresses: ['nats:4222'], hasTls: false };
  const publicUrls = ['http://127.0.0.1:4000/v1'];
  expect(contentOf('addresses.yml', { publicUrls, postgres: local, nats })).toEqual([
    { targets: ['nats:4222'], labels: { __param_module: 'nats' } },
  ]);
});

test('the password of the mail server is only in the file if alerts go by mail, and then over TLS', () => {
  const mail = { to: 'ops@example.com', from: 'payroll@example.com', server, password: 'hunter2' };
  expect(JSON.stringify(receiversOf({ webhook: 'https://hooks.example' }))).not.toContain('hunter2');
  const [, people] = receiversOf({ mail });
  expect(people).toEqual({
    name: 'people',
    email_configs: [
      {
        to: 'ops@example.com',
        from: 'payroll@example.com',
        smarthost: 'mail.example.com:2525',
        send_resolved: true,
        require_tls: true,
        auth_username: 'payroll',
        auth_password: 'hunter2',
      },
    ],
  });
});

test.each(['not a url', 'hooks.example', 'https://', 'https://hooks.example/x y', 'ftp://hooks.example'])(
  'the webhook %j is refused, and not repeated',
  (address) => {
    for (const [name, file] of [
      ['webhook', 'alert-webhook'],
      ['heartbeat', 'alert-heartbeat'],
    ] as const) {
      expect(() => receiversOf({ [name]: address })).toThrow(
        new RegExp(`^${file} in SECRETS_DIR is not one address that begins with https:// or http://$`),
      );
    }
  },
);

test('a relay without a user needs no TLS; a server that Alertmanager cannot use is refused, before the first alert is lost', () => {
  const by = (url: string) => () =>
    receiversOf({
      mail: { to: 'ops@example.com', from: 'payroll@example.com', server: new URL(url), password: 'p' },
    })[1];
  expect(by('smtp://relay.internal:25')()).toMatchObject({ email_configs: [{ require_tls: false }] });
  expect(by('smtps://u@mail.example.com')()).toMatchObject({
    email_configs: [{ smarthost: 'mail.example.com:465', require_tls: false, auth_username: 'u' }],
  });
  expect(by('smtps://u:p%40ss@mail.example.com')()).toMatchObject({ email_configs: [{ auth_password: 'p@ss' }] });
  for (const url of ['smtps://u@mail.example.com:2465', 'smtp://u@mail.example.com:465'])
    expect(by(url)).toThrow('ALERT_MAIL_TO: for alerts SMTP_URL is smtps:// at port 465');
});
