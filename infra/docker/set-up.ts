import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEVELOPMENT_MARK, readSettings, runMain, StartError, type Deployment, type Settings } from '@payroll/runtime';
import type { Secrets } from '../secrets.js';
import { kubernetesSecrets } from '../kubernetes/secrets.js';
import { renderNatsUsers } from '../nats/config.js';
import { malformed, rotated, ROTATION_STEPS } from '../rotation.js';
import { backupFiles, refuseVolume, type BackupSettings } from './backups.js';
import {
  completeSecrets,
  handOut,
  PROVIDER_KEY,
  readSecretFiles,
  replaceFile,
  replaceSecretFiles,
  secretsToMake,
  unreadFiles,
  writeSecretFiles,
  type HandedOut,
  type SecretFiles,
} from './hand-out.js';
import { monitoringFiles, type MonitoringSettings, type Receivers } from './monitoring.js';

/** Where docker-compose.yml mounts the operator's secrets, and the volume of each container's own. */
const SECRETS = '/secrets';
const VOLUMES = '/volumes';

const HTTP = ['http:', 'https:'];

const makeThem = `make all but ${PROVIDER_KEY} by  create-secrets  (docs/operations.md, infra/kubernetes/README.md)`;

await runMain('set-up', process, {
  'hand-out': {
    help: 'gives every container its own secrets; in a test deployment makes what is missing',
    run: async (env) => {
      const secrets = secretsFor(env);
      const backups = backupFiles(backupSettings(env, secrets));
      const monitoring = monitoringFiles(monitoringSettings(env, secrets));
      for (const file of [...handOut(secrets), ...backups, ...monitoring]) write(file);
      const unread = unreadFiles(readSecretFiles(SECRETS));
      if (unread.length > 0) console.warn(`in SECRETS_DIR, but nothing reads it: ${unread.join(', ')}`);
      console.log('every container has its secrets');
    },
  },
  'nats-users': {
    help: 'prints our users with their passwords and permissions, for the configuration of a NATS of your own',
    run: async (env) => console.log(renderNatsUsers(secretsFor(env).nats)),
  },
  'kubernetes-secrets': {
    help: 'prints the Secrets of infra/kubernetes, one for each process, for  kubectl apply -f -',
    run: async (env) =>
      console.log(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: kubernetesSecrets(secretsFor(env)) })),
  },
  'create-secrets': {
    help: 'makes the secrets of a live deployment that SECRETS_DIR does not hold yet',
    run: async () => {
      const files = readSecretFiles(SECRETS);
      const made = secretsToMake(files);
      writeSecretFiles(SECRETS, made);
      const names = [...made.keys()].join(', ');
      console.log(names ? `made ${names}: keep a copy in a safe place` : 'nothing is left to make');
      if (!files.get(PROVIDER_KEY)) console.log(`write the key that the payout provider issued into ${PROVIDER_KEY}`);
    },
  },
  'rotate-secrets': {
    help: 'takes secrets one step further, for infra/maintenance/rotate-secrets.sh',
    usage: `Usage: rotate-secrets ${ROTATION_STEPS.join('|')} <name of a secret>...\n`,
    run: async (env, [step, ...names]) => {
      const known = ROTATION_STEPS.find((each) => each === step);
      if (known === undefined || names.length === 0)
        throw new StartError(`type one of ${ROTATION_STEPS.join(', ')}, then names of secrets`);
      const { made: fresh } = completeSecrets(new Map(), deploymentOf(env) === 'live' ? 'production' : 'development');
      const next = rotated(known, names, readSecretFiles(SECRETS), fresh);
      replaceSecretFiles(SECRETS, next);
      console.log(`${known}: ${[...next.keys()].join(', ')}`);
    },
  },
});

function deploymentOf(env: NodeJS.ProcessEnv): Deployment {
  return readSettings(env, (s) => ({ deployment: s.choice('DEPLOYMENT', ['test', 'live']) })).deployment;
}

/** The secrets in the files; a test deployment generates missing ones, a live one refuses to start. */
function secretsFor(env: NodeJS.ProcessEnv): Secrets {
  const deployment = deploymentOf(env);
  const files = readSecretFiles(SECRETS);
  const wrong = malformed(files);
  if (wrong.length > 0)
    throw new StartError(`in SECRETS_DIR, not a secret, or two different ones with a comma: ${wrong.join(', ')}`);
  const { secrets, made } = completeSecrets(files, 'development');
  if (deployment === 'test') writeSecretFiles(SECRETS, made);
  else refuseIn(files, made);
  return secrets;
}

/** Backups are in a folder unless an optional file of SECRETS_DIR says where, with the access key of that place. */
function backupSettings(env: NodeJS.ProcessEnv, { backupKey }: Secrets): BackupSettings {
  const files = readSecretFiles(SECRETS);
  const repository = files.get('backup-repository');
  const { dir, postgres, retentionDays } = readSettings(env, (s) => ({
    dir: s.text('BACKUPS_DIR'),
    postgres: s.text('POSTGRES_ADDRESS'),
    retentionDays: s.wholeNumber('BACKUP_RETENTION_DAYS', { from: 1, to: 3_650 }, 30),
    /** Used by backups.sh, and refused before anything starts. */
    hour: s.wholeNumber('BACKUP_HOUR', { from: 0, to: 23 }, 2),
  }));
  refuseVolume({ deployment: deploymentOf(env), dir, repository, postgres });
  return { key: backupKey, repository, sftpKey: files.get('backup-sftp-key'), retentionDays };
}

/** Alerts go to the addresses in two optional files of SECRETS_DIR, and by mail. */
function monitoringSettings(env: NodeJS.ProcessEnv, { smtpPassword }: Secrets): MonitoringSettings {
  const files = readSecretFiles(SECRETS);
  return readSettings(env, (s) => ({
    publicUrls: [s.url('PUBLIC_REST_URL', HTTP), s.url('PUBLIC_APP_URL', HTTP), s.url('PUBLIC_MCP_URL', HTTP)],
    postgres: { address: s.text('POSTGRES_ADDRESS'), hasTls: s.text('DATABASE_CA_FILE', '') !== '' },
    nats: { addresses: s.list('NATS_ADDRESS'), hasTls: s.text('NATS_CA_FILE', '') !== '' },
    receivers: {
      webhook: files.get('alert-webhook'),
      heartbeat: files.get('alert-heartbeat'),
      mail: alertMail(s, smtpPassword),
    },
  }));
}

function alertMail(s: Settings, password: string): Receivers['mail'] {
  const to = s.mailbox('ALERT_MAIL_TO', '');
  if (to === '') return undefined;
  const server = s.url('SMTP_URL', ['smtp:', 'smtps:']);
  const from = s.mailbox('MAIL_FROM');
  // The problems of a setting that is missing or wrong are thrown together, once all are read.
  return URL.canParse(server) ? { to, from, server: new URL(server), password } : undefined;
}

/** @throws StartError if a live deployment's secrets are incomplete or were made for development */
function refuseIn(files: SecretFiles, missing: SecretFiles): void {
  const marked = [...files].filter(([, secret]) => secret.includes(DEVELOPMENT_MARK)).map(([name]) => name);
  if (marked.length > 0)
    throw new StartError(`DEPLOYMENT is live, but made for development: ${marked.join(', ')}; ${makeThem}`);
  if (missing.size > 0)
    throw new StartError(`DEPLOYMENT is live, but missing: ${[...missing.keys()].join(', ')}; ${makeThem}`);
}

function write({ volume, file, content, uid }: HandedOut): void {
  const path = join(VOLUMES, volume, file);
  if (!existsSync(path) || readFileSync(path, 'utf8') !== content) replaceFile(path, content, uid);
}
