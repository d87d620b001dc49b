import { StartError } from '@payroll/runtime';
import { MONITORING_UID, type HandedOut } from './hand-out.js';

export interface MonitoringSettings {
  /** The public addresses; only those that begin with https:// are probed. */
  readonly publicUrls: readonly string[];
  /** `host:port`. */
  readonly postgres: { readonly address: string; readonly hasTls: boolean };
  /** `host:port` of each server. */
  readonly nats: { readonly addresses: readonly string[]; readonly hasTls: boolean };
  readonly receivers: Receivers;
}

/** The receivers of alerts. All of them are optional: without any, alerts are sent nowhere. */
export interface Receivers {
  /** A webhook; its URL may contain a token. */
  readonly webhook?: string | undefined;
  /** Called every minute while Prometheus and Alertmanager work. */
  readonly heartbeat?: string | undefined;
  readonly mail?:
    | { readonly to: string; readonly from: string; readonly server: URL; readonly password: string }
    | undefined;
}

/** The name of the receiver that sends alerts nowhere; `doctor` looks for it. */
export const NOWHERE = 'nowhere';

export function monitoringFiles(settings: MonitoringSettings): readonly HandedOut[] {
  return [
    { volume: 'prometheus', file: 'addresses.yml', content: probedAddresses(settings), uid: MONITORING_UID },
    { volume: 'alertmanager', file: 'alertmanager.yml', content: alertmanager(settings), uid: MONITORING_UID },
  ];
}

/** The targets of the blackbox exporter, each with a module of infra/monitoring/blackbox.yml. JSON is YAML too. */
function probedAddresses({ publicUrls, postgres, nats }: MonitoringSettings): string {
  const doors = publicUrls.map((url) => new URL(url)).filter(({ protocol }) => protocol === 'https:');
  const groups = {
    public: [...new Set(doors.map(({ hostname, port }) => `${hostname}:${port || 443}`))],
    [nats.hasTls ? 'nats-tls' : 'nats']: nats.addresses,
    'postgres-tls': postgres.hasTls ? [postgres.address] : [],
  };
  const targets = Object.entries(groups).map(([module, addresses]) => ({
    targets: addresses,
    labels: { __param_module: module },
  }));
  return `${JSON.stringify(targets.filter(({ targets: { length } }) => length > 0))}\n`;
}

function alertmanager({ receivers: { webhook, heartbeat, mail } }: MonitoringSettings): string {
  const people = webhook !== undefined || mail !== undefined ? 'people' : NOWHERE;
  return `${JSON.stringify({
    route: {
      receiver: people,
      group_by: ['alertname', 'job'],
      repeat_interval: '4h',
      routes: [
        {
          matchers: ['alertname="DeadMansSwitch"'],
          receiver: heartbeat === undefined ? NOWHERE : 'heartbeat',
          group_wait: '0s',
          group_interval: '1m',
          repeat_interval: '1m',
        },
      ],
    },
    receivers: [
      { name: NOWHERE },
      {
        name: 'people',
        ...webhookConfigs('alert-webhook', webhook),
        ...(mail !== undefined && { email_configs: [emailConfig(mail)] }),
      },
      { name: 'heartbeat', ...webhookConfigs('alert-heartbeat', heartbeat) },
    ],
  })}\n`;
}

/**
 * The address may contain a token, and is not repeated.
 * @throws StartError for anything else: Alertmanager would refuse the whole file, with the other receivers
 */
function webhookConfigs(file: string, url: string | undefined) {
  if (url === undefined) return {};
  if (!/^https?:\/\/[^\s/]/.test(url) || !URL.canParse(url) || /\s/.test(url)) {
    throw new StartError(`${file} in SECRETS_DIR is not one address that begins with https:// or http://`);
  }
  return { webhook_configs: [{ url }] };
}

/**
 * smtps:// is TLS from the first byte, which Alertmanager 0.28 begins at port 465 alone. Over smtp:// the server must offer STARTTLS
 * if a password is sent.
 * @throws StartError if Alertmanager could not send a mail by that server
 */
function emailConfig({ to, from, server, password }: NonNullable<Receivers['mail']>) {
  const isSmtps = server.protocol === 'smtps:';
  const port = server.port || (isSmtps ? '465' : '587');
  if (isSmtps !== (port === '465')) {
    throw new StartError(
      'ALERT_MAIL_TO: for alerts SMTP_URL is smtps:// at port 465, or smtp:// at another port; or use alert-webhook instead',
    );
  }
  return {
    to,
    from,
    smarthost: `${server.hostname}:${port}`,
    send_resolved: true,
    require_tls: !isSmtps && server.username !== '',
    ...(server.username && {
      auth_username: decodeURIComponent(server.username),
      // As for the mails of workspaces, a password in the URL takes precedence.
      auth_password: decodeURIComponent(server.password) || password,
    }),
  };
}
