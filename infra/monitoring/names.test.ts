import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { metrics } from '@payroll/runtime';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { processNames } from '../processes.js';

const here = import.meta.dirname;
const read = (path: string): string => readFileSync(join(here, path), 'utf8');
const dashboards = globSync('grafana/dashboards/*.json', { cwd: here }).toSorted();
const alerts = read('prometheus/alerts.yml');
const runbook = read('../../docs/runbook.md');

/** Metrics of prom-client itself. */
const OF_THE_PROCESS = [
  'process_start_time_seconds',
  'nodejs_eventloop_lag_p99_seconds',
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
];
const OF_PROMETHEUS = ['job', 'instance', 'le'];

const known = new Set([
  ...OF_THE_PROCESS,
  ...Object.values(metrics).flatMap(({ kind, name }) =>
    kind === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  ),
]);
const labels = new Set<string>([...OF_PROMETHEUS, ...Object.values(metrics).flatMap((metric) => [...metric.labels])]);

interface Dashboard {
  panels: { title: string; description: string; targets: { expr: string }[] }[];
}

const expressions = [
  alerts,
  ...dashboards.flatMap((file) =>
    (JSON.parse(read(file)) as Dashboard).panels.flatMap((panel) => panel.targets.map(({ expr }) => expr)),
  ),
];

test('dashboards and alerts use only exported metrics and their labels', () => {
  const named = expressions.flatMap((text) => text.match(/\b(?:payroll|nodejs|process)_\w+/g) ?? []);
  expect(new Set(named).size).toBeGreaterThan(20);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
  const matched = expressions.flatMap((text) =>
    [...text.matchAll(/[{,]\s*(\w+)(?:=~|!=|=)"/g)].map(([, label]) => label!),
  );
  const grouped = expressions.flatMap((text) =>
    [...text.matchAll(/\bby \(([\w, ]+)\)/g)].flatMap(([, list]) => list!.split(', ')),
  );
  expect([...matched, ...grouped].filter((label) => !labels.has(label))).toEqual([]);
});

test("label values in selectors and in the alerts' tests are ones that the metric can have", () => {
  const selectors = [...expressions, read('prometheus/alerts.test.yml')].flatMap((text) => [
    ...text.matchAll(/\b(payroll_\w+)\{([^}]*)\}/g),
  ]);
  expect(selectors.length).toBeGreaterThan(20);
  const strangers = selectors.flatMap(([selector, name = '', matchers = '']) => {
    const plain = name.replace(/_(?:bucket|count|sum)$/, '');
    const metric = Object.values(metrics).find((each) => each.name === name || each.name === plain);
    const own = new Set<string>([...OF_PROMETHEUS, ...(metric?.labels ?? [])]);
    return [...matchers.matchAll(/(\w+)(?:=~|!~|!=|=)/g)].some(([, label = '']) => !own.has(label)) ? [selector] : [];
  });
  expect(strangers).toEqual([]);
});

test('Prometheus scrapes every process by its name', () => {
  const { scrape_configs: jobs } = parse(read('prometheus/prometheus.yml')) as {
    scrape_configs: { job_name: string; dns_sd_configs: { names: string[] }[] }[];
  };
  const asked = jobs.map(({ job_name, dns_sd_configs: [found] }) => [job_name, found?.names]);
  expect(asked).toEqual([...processNames, 'balancer'].map((name) => [name, [name]]));
});

test('every metric is on a dashboard or in an alert', () => {
  const all = expressions.join('\n');
  expect(Object.values(metrics).filter(({ name }) => !all.includes(name))).toEqual([]);
});

test('every alert links to its section of the runbook, and every section has an alert', () => {
  const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
  const urls = [...alerts.matchAll(/runbook_url: (\S+)/g)].map(([, url]) => url!);
  const sections = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, name]) => name!);
  expect(urls).toEqual(names.map((name) => `docs/runbook.md#${name.toLowerCase()}`));
  expect(sections.toSorted()).toEqual(names.toSorted());
});

test('every panel has a title and a description', () => {
  const panels = dashboards.flatMap((file) => (JSON.parse(read(file)) as Dashboard).panels);
  expect(panels.length).toBeGreaterThan(20);
  expect(panels.filter(({ title, description }) => !title || !description)).toEqual([]);
});
