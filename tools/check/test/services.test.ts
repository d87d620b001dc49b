import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICE_PORTS } from '@payroll/kernel';
import { expect, test } from 'vitest';
import { root } from '../repository.ts';
import { findFaults } from '../services.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const sources = {
  compose: read('docker-compose.yml'),
  balancer: read('infra/balancer/haproxy.cfg'),
  prometheus: read('infra/monitoring/prometheus/prometheus.yml'),
  alerts: read('infra/monitoring/prometheus/alerts.yml'),
};

test('finds no fault in the hand-written parts of the existing services', () => {
  expect(findFaults(sources)).toEqual([]);
});

test('lists all parts that a new service is missing', () => {
  expect(findFaults(sources, { ...SERVICE_PORTS, pretend: 4999 })).toEqual([
    'docker-compose.yml: add the service pretend',
    'docker-compose.yml: pretend gets LISTEN_PORT: 4999',
    'docker-compose.yml: add PRETEND_URL: http://balancer:4999/graphql to x-subgraphs',
    'docker-compose.yml: set-up gets the volume secrets-pretend:/volumes/pretend',
    'docker-compose.yml: add secrets-pretend to volumes',
    'docker-compose.yml: balancer depends on pretend',
    'infra/balancer/haproxy.cfg: add a section  listen pretend  on :4999 for pretend:4999',
    'infra/monitoring/prometheus/prometheus.yml: add the job pretend',
    'infra/monitoring/prometheus/alerts.yml: ServiceGone asks for pretend',
  ]);
});

test('names the places of a port that has changed', () => {
  expect(findFaults(sources, { review: 5013 }).join('\n')).toMatch(/LISTEN_PORT: 5013\n.*REVIEW_URL.*\n.*haproxy\.cfg/);
});
