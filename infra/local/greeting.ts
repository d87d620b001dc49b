import { relative } from 'node:path';
import type { StackFile } from './stack-file.js';

/** What `npm start` says once everything is ready. */
export function greeting(
  file: StackFile,
  { dir, cwd, seconds }: { dir: string; cwd: string; seconds: number },
): string {
  const folder = relative(cwd, dir) || '.';
  const rows = [
    ['REST', file.rest.url],
    ['GraphQL', file.graphql.url],
    ['MCP', file.mcp?.url],
    ['Sign-in', file.auth?.url],
    ['Reference', `${file.rest.url}/docs`],
    ['Explorer', new URL('/explorer/', file.graphql.url).href],
    ['Guide', file.mcp && new URL('/', file.mcp.url).href],
    ['Postgres', withoutPassword(file.postgres.url)],
    ['NATS', withoutPassword(file.nats.url)],
    ['Logs', `${folder}/logs`],
    ['Passwords', `${folder}/stack.json`],
  ].flatMap(([label = '', value]) => (value === undefined ? [] : [`  ${label.padEnd(10)} ${value}`]));
  const lines = [`Ready in ${seconds.toFixed(1)} s. Ctrl-C stops everything.`, '', ...rows, ...keys(file)];
  return `\n${lines.join('\n')}\n`;
}

function keys(file: StackFile): string[] {
  const [first] = file.workspaces ?? [];
  if (first === undefined) return [];
  const rows = (file.workspaces ?? []).flatMap(({ name, apiKeys }) => [
    `  ${name}`,
    ...Object.entries(apiKeys).map(([role, key]) => `    ${role.padEnd(8)} ${key}`),
  ]);
  const people = (file.workspaces ?? []).flatMap(({ name, users = [] }) => [
    `  ${name}`,
    ...users.map(({ email, password, role }) => `    ${role.padEnd(8)} ${email.padEnd(26)} ${password}`),
  ]);
  const curl = `  curl -s -H 'Authorization: Bearer ${first.apiKeys.viewer}' '${file.rest.url}/contracts?limit=3'`;
  return ['', 'API keys', ...rows, '', 'People who sign in', ...people, '', 'A first request', curl];
}

function withoutPassword(address: string): string {
  const url = new URL(address);
  url.password = '';
  return url.href;
}
