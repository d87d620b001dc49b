import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Resource, kustomize, renderFolder, workloads } from '@payroll/tests/support/kubernetes';
import { describe, expect, it } from 'vitest';
import { OUTSIDE } from '../namespaces/host.js';
import { IMAGES, withVersion } from './deployment.js';

describe.skipIf(kustomize === undefined)('the overlay of the lab', () => {
  const objects = kustomize === undefined ? [] : renderFolder('lab/cluster/overlay');
  const imagesOf = (all: readonly Resource[]): string[] =>
    [
      ...new Set(workloads(all).flatMap(({ spec }) => spec.template.spec.containers.map(({ image }) => image))),
    ].toSorted();

  it('has images that the lab builds, and our own in the second version after an upgrade', () => {
    expect(imagesOf(objects)).toEqual([IMAGES.nats, IMAGES.balancer[0], IMAGES.payroll[0]].toSorted());
    const second = objects.map((each) => withVersion(each, 2));
    expect(imagesOf(second)).toEqual([IMAGES.nats, IMAGES.balancer[1], IMAGES.payroll[1]].toSorted());
    expect(second.map((each) => withVersion(each, 1))).toEqual(objects);
  });

  it('has nothing that a Kubernetes of 1.20 does not know', () => {
    const groups = new Set(objects.map(({ apiVersion }) => apiVersion));
    expect([...groups].toSorted()).toEqual(['apps/v1', 'batch/v1', 'networking.k8s.io/v1', 'policy/v1beta1', 'v1']);
  });

  it('names the machine outside by its address', () => {
    expect(readFileSync(join(import.meta.dirname, 'overlay/kustomization.yaml'), 'utf8')).toContain(`=${OUTSIDE}:5432`);
  });
});
