import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICE_PORTS, SERVICES } from '@payroll/kernel';
import { HTTP_LIMITS } from '@payroll/runtime';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { CONSOLE_PATHS } from '../balancer/console-paths.js';
import { repositoryRoot } from '../processes.js';

const textOf = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');

/** Its sections, each with its settings by their first word or words. */
const sections = textOf('infra/balancer/haproxy.cfg')
  .split(/\n(?=\S)/)
  .map((section) => section.split('\n').map((line) => line.trim()))
  .map(([title = '', ...lines]) => ({ title, lines: lines.filter((line) => !line.startsWith('#')) }));
const sectionOf = (title: string): readonly string[] => sections.find((section) => section.title === title)!.lines;
const doors = sections.filter(({ title }) => /^(listen|frontend) /.test(title));
const numberIn = (lines: readonly string[], setting: string): number | undefined => {
  const line = lines.find((each) => each.startsWith(`${setting} `));
  return line === undefined ? undefined : Number.parseInt(line.slice(setting.length + 1), 10);
};

test('a request has as long to arrive at the balancer as at a process, including its body', () => {
  expect(numberIn(sectionOf('defaults'), 'timeout http-request')).toBe(HTTP_LIMITS.requestMs / 1_000);
  expect(sectionOf('defaults')).toContain('option http-buffer-request');
  expect(numberIn(sectionOf('defaults'), 'timeout client')).toBe(HTTP_LIMITS.silentMs / 1_000);
});

test('no port takes the connections of another, or accepts more than a single process would', () => {
  const most = doors.map(({ lines }) => numberIn(lines, 'maxconn') ?? numberIn(sectionOf('defaults'), 'maxconn')!);
  expect(most).toHaveLength(SERVICES.length + 7);
  expect(most.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(numberIn(sectionOf('global'), 'maxconn')!);
  for (const each of most) expect(each).toBeLessThan(HTTP_LIMITS.connections);
});

test.each(Object.entries(SERVICE_PORTS))('%s is called at the port %i, as it listens', (name, port) => {
  const lines = sectionOf(`listen ${name}`);
  expect(lines).toContain(`bind :${port}`);
  expect(lines).toContain(`server-template replica 10 "${name}\${NAME_SUFFIX}:${port}"`);
});

test.each([
  ['listen rest-facade', 'sources-rest-facade'],
  ['listen gateway', 'sources-gateway'],
  ['frontend people', 'sources-people'],
  ['listen mcp', 'sources-mcp'],
  ['listen callbacks', 'sources-callbacks'],
])('one address may open only a part of the connections of %s, and cannot keep them idle for long', (door, table) => {
  const lines = sectionOf(door);
  expect(lines).toContain(`tcp-request connection track-sc0 src,ipmask(32,64) table ${table}`);
  const reject =
    /^tcp-request connection reject if \{ sc0_conn_cur gt (\d+) \} !\{ src "\$\{OUTER_PROXIES\[\*\]\}" \}$/;
  const most = lines.flatMap((line) => reject.exec(line)?.[1] ?? []).map(Number);
  expect(most).toEqual([expect.any(Number)]);
  expect(most[0]).toBeLessThanOrEqual(numberIn(lines, 'maxconn')! / 2);
  expect(lines).toContain('timeout http-keep-alive 10s');
});

test("processes behind a public port trust the balancer's forwarding headers, and no one else's", () => {
  const compose = parse(textOf('docker-compose.yml'), { merge: true, maxAliasCount: -1 }) as {
    services: Record<string, { environment?: Record<string, string> }>;
  };
  for (const name of ['rest-facade', 'gateway', 'workspaces', 'mcp', 'console']) {
    const believed = compose.services[name]!.environment!['TRUSTED_PROXIES'];
    expect(believed, name).toBe('${BALANCER_IP:-10.213.77.2},${OUTER_PROXIES:-}');
  }
});

test('the balancer sends the console the same paths as npm start does, and workspaces all others', () => {
  const [rule, otherwise] = sectionOf('frontend people').filter((line) => /^(?:use|default)_backend /.test(line));
  expect(rule).toBe(`use_backend console if { path -m reg ${CONSOLE_PATHS.source.replaceAll('\\/', '/')} }`);
  expect(otherwise).toBe('default_backend pages');
});

test('the balancer ends the request of a disconnected assistant at once, not half a minute later', () => {
  expect(sectionOf('listen mcp')).toContain('option abortonclose');
});
