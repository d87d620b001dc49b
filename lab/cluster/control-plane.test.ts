import { expect, it } from 'vitest';
import { hostLines } from './control-plane.js';

const named = (name: string) => ({ metadata: { name, namespace: 'payroll' } });
const pods = {
  ...named('nats'),
  subsets: [{ addresses: [{ ip: '10.244.1.2', hostname: 'nats-0' }], notReadyAddresses: [{ ip: '10.244.2.2' }] }],
};

it('a Service with an address of its own has that one', () => {
  expect(hostLines([{ ...named('balancer'), spec: { clusterIP: '10.96.0.100' } }], [])).toBe(
    '10.96.0.100 balancer.payroll.svc.cluster.local\n',
  );
});

it('a headless Service has those of its pods, and a pod of a StatefulSet its own name', () => {
  expect(hostLines([{ ...named('nats'), spec: { clusterIP: 'None' } }], [pods])).toBe(
    '10.244.1.2 nats.payroll.svc.cluster.local nats-0.nats.payroll.svc.cluster.local\n',
  );
});

it('pods that are not ready are there only if the Service says so', () => {
  const spec = { clusterIP: 'None', publishNotReadyAddresses: true };
  expect(hostLines([{ ...named('nats'), spec }], [pods])).toContain('10.244.2.2 nats.payroll.svc.cluster.local');
});
