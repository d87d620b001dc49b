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
/** Those of Prometheus, and of our relabelling. */
const OF_PROMETHEUS = ['job', 'instance', 'le', 'module'];

/** Metrics of the exporters, each with its labels. */
const exported = new Map(
  [...read('exporters.txt').matchAll(/^([a-z]\w+)(?:\{(.*)\})?$/gm)].map(([, name, list]) => [
    name!,
    list?.split(', ') ?? [],
  ]),
);

const known = new Set([
  ...OF_THE_PROCESS,
  ...exported.keys(),
  ...Object.values(metrics).flatMap(({ kind, name }) =>
    kind === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  ),
]);
const labels = new Set<string>([
  ...OF_PROMETHEUS,
  ...[...exported.values()].flat(),
  ...Object.values(metrics).flatMap((metric) => [...metric.labels]),
]);

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
  const named = expressions.flatMap(
    (text) => text.match(/\b(?:payroll|nodejs|process|pg|gnatsd|node|probe|haproxy)_\w+/g) ?? [],
  );
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
    ...text.matchAll(/\b((?:payroll|pg|gnatsd|node|probe|haproxy)_\w+)\{([^}]*)\}/g),
  ]);
  expect(selectors.length).toBeGreaterThan(20);
  const strangers = selectors.flatMap(([selector, name = '', matchers = '']) => {
    const plain = name.replace(/_(?:bucket|count|sum)$/, '');
    const metric = Object.values(metrics).find((each) => each.name === name || each.name === plain);
    const own = new Set<string>([...OF_PROMETHEUS, ...(metric?.labels ?? exported.get(name) ?? [])]);
    return [...matchers.matchAll(/(\w+)(?:=~|!~|!=|=)/g)].some(([, label = '']) => !own.has(label)) ? [selector] : [];
  });
  expect(strangers).toEqual([]);
});

interface ScrapeConfig {
  job_name: string;
  dns_sd_configs?: { names: string[] }[];
  static_configs?: { targets: string[] }[];
  relabel_configs?: { target_label: string; replacement?: string }[];
}

test('Prometheus scrapes every process by its name, and each exporter of docker-compose.yml', () => {
  const { scrape_configs: jobs } = parse(read('prometheus/prometheus.yml')) as { scrape_configs: ScrapeConfig[] };
  const found = jobs.flatMap(({ job_name, dns_sd_configs }) => (dns_sd_configs ? [[job_name, dns_sd_configs]] : []));
  expect(found).toEqual(
    [...processNames, 'balancer'].map((name) => [name, [expect.objectContaining({ names: [name] })]]),
  );
  const { services } = parse(read('../../docker-compose.yml'), { merge: true, maxAliasCount: -1 }) as {
    services: Record<string, { profiles?: string[] }>;
  };
  const fixed = jobs.flatMap(({ static_configs = [], relabel_configs = [] }) => [
    ...static_configs.flatMap(({ targets }) => targets),
    ...relabel_configs.flatMap(({ target_label, replacement }) =>
      target_label === '__address__' && replacement ? [replacement] : [],
    ),
  ]);
  const watched = Object.keys(services).filter((name) => /exporter$|^alertmanager$/.test(name));
  expect(fixed.map((address) => address.replace(/:\d+$/, '')).toSorted()).toEqual(watched.toSorted());
});

test('an alert says which process has no replica left; only a test deployment has the sandbox provider', () => {
  const asked = [...alerts.matchAll(/absent\(up\{job="([\w-]+)"\} == 1\), "job", "\1"/g)].map(([, name]) => name);
  expect(asked).toEqual(processNames.filter((name) => name !== 'sandbox-provider'));
});

test('the list of metrics is of the versions of the exporters that docker-compose.yml runs', () => {
  const images = [...read('../../docker-compose.yml').matchAll(/image: \S+\/(\S+[-_]exporter):v?(\S+)/g)];
  expect(images).toHaveLength(4);
  for (const [, image, version] of images) {
    expect(read('exporters.txt')).toMatch(new RegExp(`^# ${image!.replaceAll('-', '[-_]')} ${version}\\b`, 'm'));
  }
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
