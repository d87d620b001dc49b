import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { kubernetesSecrets } from '@payroll/infra/kubernetes/secrets';
import type { Secrets } from '@payroll/infra/secrets';
import { type Resource, renderFolder, workloads } from '@payroll/tests/support/kubernetes';
import type { ControlPlane } from './control-plane.js';
import { ROOT } from './install.js';

const NAMESPACE = 'payroll';
const REGISTRY = 'registry.example';
/** The images that pods name; versions 1 and 2 differ in nothing but their name. */
export const IMAGES = {
  payroll: [`${REGISTRY}/payroll:1`, `${REGISTRY}/payroll:2`],
  balancer: [`${REGISTRY}/payroll-balancer:1`, `${REGISTRY}/payroll-balancer:2`],
  nats: `${REGISTRY}/nats:1`,
};

export interface Pod {
  metadata: { name: string; uid: string; labels: Record<string, string>; deletionTimestamp?: string };
  spec: { nodeName?: string };
  status: { conditions?: { type: string; status: string }[] };
}

export type Deployment = ReturnType<typeof deploymentOn>;

/** The system on a cluster, by the commands of infra/kubernetes/README.md. */
export function deploymentOn({ kubectl, apply, list }: ControlPlane) {
  const objects = renderFolder('lab/cluster/overlay');
  const inNamespace = async (...args: string[]): Promise<string> => await kubectl('-n', NAMESPACE, ...args);
  const rolledOut = async (kinds: readonly string[]): Promise<void> => {
    for (const { kind, metadata } of workloads(objects).filter((each) => kinds.includes(each.kind)))
      await inNamespace('rollout', 'status', '--timeout=10m', `${kind}/${metadata.name}`);
  };
  const migrate = async (versioned: readonly Resource[]): Promise<void> => {
    await inNamespace('delete', 'job', 'migrate', '--ignore-not-found');
    apply(versioned.filter(({ metadata }) => metadata.labels?.['payroll/migrates'] === 'yes'));
    await inNamespace('wait', '--for=condition=complete', 'job/migrate', '--timeout=15m');
  };
  const deployment = {
    objects,
    async begin(secrets: Secrets): Promise<void> {
      apply(objects.filter(({ kind }) => kind === 'Namespace'));
      apply([...kubernetesSecrets(secrets), natsCertificate()], '-n', NAMESPACE);
      apply(objects);
      await inNamespace('wait', '--for=condition=complete', 'job/migrate', '--timeout=15m');
      await deployment.whole();
    },
    /** All processes and balancers, one after the other, as that version. */
    async roll(version: 1 | 2): Promise<void> {
      const versioned = objects.map((each) => withVersion(each, version));
      await migrate(versioned);
      apply(versioned);
      await deployment.whole();
    },
    /** Every pod that should run is ready. */
    async whole(): Promise<void> {
      await rolledOut(['Deployment', 'StatefulSet']);
    },
    /** Every pod that has a place without the drained node. */
    async servesWithoutNode(): Promise<void> {
      await rolledOut(['Deployment']);
    },
    async pods(): Promise<Pod[]> {
      const pods = await list<Pod>(`api/v1/namespaces/${NAMESPACE}/pods`);
      return pods.filter(({ metadata }) => metadata.labels['app.kubernetes.io/name'] !== 'migrate');
    },
    async podsOf(name: string): Promise<Pod[]> {
      return (await deployment.pods()).filter(({ metadata }) => metadata.labels['app.kubernetes.io/name'] === name);
    },
    /** Pods without the condition Ready, by name. */
    async unready(): Promise<string[]> {
      const isReady = ({ status }: Pod): boolean =>
        status.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') ?? false;
      return (await deployment.pods()).filter((each) => !isReady(each)).map(({ metadata }) => metadata.name);
    },
    async settled(): Promise<void> {
      await deployment.whole();
      while ((await deployment.unready()).length > 0) await pause(500);
    },
  };
  return deployment;
}

export function withVersion(object: Resource, version: 1 | 2): Resource {
  const own = [...IMAGES.payroll, ...IMAGES.balancer];
  const renamed = (_: string, value: unknown): unknown =>
    typeof value === 'string' && own.includes(value) ? value.replace(/\d$/, String(version)) : value;
  return JSON.parse(JSON.stringify(object, renamed)) as Resource;
}

/** In place of cert-manager: one certificate, which is its own authority. */
function natsCertificate(): object {
  const names = ['nats', 'nats-0.nats', 'nats-1.nats', 'nats-2.nats'].map((name) => `DNS:${name}`).join(',');
  const script = `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=payroll-nats \
    -addext subjectAltName=${names} -keyout /tmp/nats.key -out /tmp/nats.crt && cat /tmp/nats.key && echo && cat /tmp/nats.crt`;
  const text = execFileSync('chroot', [ROOT, 'sh', '-c', script], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [key = '', certificate = ''] = text.split('\n\n');
  const stringData = { 'tls.key': key, 'tls.crt': certificate, 'ca.crt': certificate };
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'nats-tls' }, type: 'Opaque', stringData };
}
