import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { completeSecrets } from '@payroll/infra/docker/hand-out';
import { processes } from '@payroll/infra/processes';
import { credentialsOf } from '@payroll/infra/secrets';
import { kubernetesSecrets } from '@payroll/infra/kubernetes/secrets';

const { secrets, made } = completeSecrets(new Map(), 'production');
const printed = kubernetesSecrets(secrets);
const dataOf = (name: string): Readonly<Record<string, string>> =>
  printed.find(({ metadata }) => metadata.name === name)!.stringData;

test('each process has a Secret with its own credentials and no others', () => {
  for (const definition of processes) {
    expect(parseEnv(dataOf(definition.name)['environment']!)).toEqual(credentialsOf(definition, secrets));
  }
  const others = ['migrate', 'nats', 'postgres-admin'];
  expect(printed.map(({ metadata }) => metadata.name).toSorted()).toEqual(
    [...processes.map(({ name }) => name), ...others].toSorted(),
  );
});

test("the migrations' password is the one that CloudNativePG gives their user", () => {
  const { username, password } = dataOf('postgres-admin');
  expect(parseEnv(dataOf('migrate')['environment']!)['DATABASE_PASSWORD']).toBe(password);
  const settings = readFileSync(join(import.meta.dirname, '../../infra/kubernetes/base/settings.env'), 'utf8');
  expect(parseEnv(settings)['POSTGRES_USER']).toBe(username);
});

test.each([
  ['', made],
  [', while they are rotated', new Map([...made].map(([name, value]) => [name, `${value},2`]))],
] as const)('External Secrets makes the same Secrets of what a store holds%s', (_, store) => {
  const text = readFileSync(
    join(import.meta.dirname, '../../infra/kubernetes/components/external-secrets/made-secrets.yaml'),
    'utf8',
  );
  const templates = parseAllDocuments(text).map((document) => document.toJS() as ExternalSecret);
  const filled = templates.map(({ metadata, spec }) => {
    const known = new Map(spec.data.map(({ secretKey, remoteRef }) => [secretKey, store.get(remoteRef.key)!]));
    const fill = (template: string): string =>
      template.replaceAll(
        /\{\{ index \. "([\w.-]+)"( \| splitList "," \| first)? \}\}/g,
        (_, name: string, first?: string) => (first === undefined ? known.get(name)! : known.get(name)!.split(',')[0]!),
      );
    const { type, data } = spec.target.template;
    const stringData = Object.fromEntries(Object.entries(data).map(([key, template]) => [key, fill(template)]));
    return { apiVersion: 'v1', kind: 'Secret', metadata, type, stringData };
  });
  expect(filled).toEqual(kubernetesSecrets(completeSecrets(store, 'production').secrets));
});

interface ExternalSecret {
  metadata: { name: string };
  spec: {
    target: { template: { type: string; data: Record<string, string> } };
    data: { secretKey: string; remoteRef: { key: string } }[];
  };
}
