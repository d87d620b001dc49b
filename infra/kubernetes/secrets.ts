import { handOut, completeSecrets, type SecretFiles } from '../docker/hand-out.js';
import { renderNatsUsers } from '../nats/config.js';
import { inUse } from '../rotation.js';
import type { Secrets } from '../secrets.js';

/** Postgres' user for migrations: `POSTGRES_USER` in base/settings.env. */
const POSTGRES_ADMIN = 'payroll_admin';

/** One for each process, which mounts no other, one for the servers of NATS, and one for CloudNativePG. */
export function kubernetesSecrets(secrets: Secrets) {
  const environments = handOut(secrets).filter(({ file }) => file === 'environment');
  return [
    ...environments.map(({ volume, content }) => secret(volume, { environment: content })),
    secret('nats', { 'users.conf': renderNatsUsers(secrets.nats) }),
    secret(
      'postgres-admin',
      { username: POSTGRES_ADMIN, password: secrets.postgresPassword },
      'kubernetes.io/basic-auth',
    ),
  ];
}

function secret(name: string, stringData: Readonly<Record<string, string>>, type = 'Opaque') {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, type, stringData };
}

/** The same Secrets as templates for External Secrets; a store holds the values under the names of the files in SECRETS_DIR. */
export function externalSecrets(): readonly object[] {
  const { made } = completeSecrets(new Map(), 'production');
  // As if all were rotated, so that templates with the whole secret differ from those with the value in use.
  const two = new Map([...made].map(([name, value]) => [name, `${value},of ${name}`]));
  const { secrets } = completeSecrets(two, 'production');
  return kubernetesSecrets(secrets).map(({ metadata, type, stringData }) => {
    const { data, names } = asTemplates(stringData, two);
    return {
      apiVersion: 'external-secrets.io/v1',
      kind: 'ExternalSecret',
      metadata,
      spec: {
        secretStoreRef: { kind: 'SecretStore', name: 'payroll' },
        refreshInterval: '1h',
        target: { template: { type, data } },
        data: names.map((name) => ({ secretKey: name, remoteRef: { key: name } })),
      },
    };
  });
}

/** Each secret replaced by a reference to it; `names` are those that occur. */
function asTemplates(
  content: Readonly<Record<string, string>>,
  made: SecretFiles,
): { data: Record<string, string>; names: string[] } {
  const names = new Set<string>();
  const reference = (text: string): string => {
    let template = text;
    for (const [name, value] of made) {
      if (!template.includes(inUse(value))) continue;
      names.add(name);
      template = template
        .replaceAll(value, `{{ index . "${name}" }}`)
        .replaceAll(inUse(value), `{{ index . "${name}" | splitList "," | first }}`);
    }
    return template;
  };
  const data = Object.fromEntries(Object.entries(content).map(([key, text]) => [key, reference(text)]));
  return { data, names: [...names] };
}
