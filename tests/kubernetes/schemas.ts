import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import type { Resource } from '../support/kubernetes.js';

/** Where the schemas of an API group are; the path there is the group's, its version and the kind. */
const PACKAGES: Readonly<Record<string, string>> = {
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api/',
  'cert-manager.io': '@kubernetes-models/cert-manager/',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator/',
  'external-secrets.io': '@kubernetes-models/external-secrets/',
};

/** The schemas of CloudNativePG, which no package has. */
const { schemas } = JSON.parse(readFileSync(join(import.meta.dirname, 'cloudnative-pg.json'), 'utf8')) as {
  schemas: Readonly<Record<string, Schema>>;
};
const ajv = new Ajv({ strict: false, validateFormats: false, code: { optimize: false } });
const compiled = new Map<string, ValidateFunction>();

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
}

/** Values of a wrong type, missing fields, and fields that are not in the schema. */
export async function schemaFindings(object: Resource): Promise<string[]> {
  const known = `${object.apiVersion} ${object.kind}`;
  const found = known in schemas ? byOwnSchema(known, object) : await byPackage(object);
  return found.map((finding) => `${object.kind} ${object.metadata.name}: ${finding}`);
}

function byOwnSchema(known: string, { apiVersion, kind, spec }: Resource): string[] {
  const validate = compiled.get(known) ?? ajv.compile(closed(schemas[known]!));
  compiled.set(known, validate);
  if (validate({ apiVersion, kind, spec })) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** The same schema, in which fields that it does not name are refused, as the API server does with strict validation. */
function closed(schema: Schema): Schema {
  const { properties, items, additionalProperties } = schema;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true || properties === undefined;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, closed(each)])),
    }),
    ...(items && { items: closed(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: closed(additionalProperties) }),
    ...(!isOpen && additionalProperties === undefined && { additionalProperties: false }),
  };
}

async function byPackage(object: Resource): Promise<string[]> {
  const [group, version] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : ['', object.apiVersion];
  const path = `${PACKAGES[group!] ?? 'kubernetes-models/'}${group ? `${group}/` : ''}${version}/${object.kind}`;
  let models: Record<string, { prototype: { validate: (this: unknown) => void } } | undefined>;
  try {
    models = (await import(path)) as typeof models;
  } catch {
    return [`there is no ${object.apiVersion} ${object.kind}`];
  }
  const unread = new Set<string>();
  const problems: string[] = [];
  try {
    models[object.kind]!.prototype.validate.call(watched(object, '', unread));
  } catch (error) {
    problems.push((error as Error).message);
  }
  return [...problems, ...[...unread].map((field) => `${field} is not known`)];
}

/** These validators accept unknown fields. They read each field that they know, so the unknown ones are those never read. */
function watched(value: unknown, path: string, unread: Set<string>): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((each, index) => watched(each, `${path}/${index}`, unread));
  const children = Object.entries(value).map(([key, each]) => {
    unread.add(`${path}/${key}`);
    return [key, watched(each, `${path}/${key}`, unread)];
  });
  return new Proxy(Object.fromEntries(children) as Record<string | symbol, unknown>, {
    get(target, key) {
      unread.delete(`${path}/${String(key)}`);
      return target[key];
    },
  });
}
