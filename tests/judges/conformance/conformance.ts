import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { repositoryRoot } from '@payroll/infra/processes';
import { runTool } from '../tool.js';
import type { Case, Verdict } from '../verdict.js';

const REVISIONS = ['2026-07-28', '2025-11-25'] as const;

/**
 * The protocol's own suite, with the requirements of each revision; expected-<revision>.yaml lists the checks that do
 * not apply.
 */
export async function conformance({ mcp, scratchDir }: Case): Promise<Verdict> {
  await using proxy = await startBearerProxy(mcp.url, mcp.token);
  const verdicts: Verdict[] = [];
  for (const revision of REVISIONS) {
    const baseline = join(repositoryRoot, `tests/judges/conformance/expected-${revision}.yaml`);
    const { exitCode, all } = await runTool('conformance', [
      ...['server', '--url', proxy.url, '--requirements', revision],
      ...['--expected-failures', baseline, '--output-dir', join(scratchDir, revision)],
    ]);
    const passed = all.match(/^Total: (\d+) passed/m)?.[1] ?? '0';
    const isPassed = exitCode === 0 && Number(passed) > 0;
    verdicts.push({
      isPassed,
      summary: `${passed} checks of ${revision}`,
      findings: isPassed ? [] : [all.slice(all.indexOf('=== SUMMARY'))],
    });
  }
  return {
    isPassed: verdicts.every((verdict) => verdict.isPassed),
    summary: verdicts.map(({ summary }) => summary).join(', '),
    findings: verdicts.flatMap(({ findings }) => findings),
  };
}

interface BearerProxy extends AsyncDisposable {
  url: string;
}

/** A proxy in front of `/mcp` for a judge without support for credentials: adds ours to every request. */
async function startBearerProxy(target: string, token: string): Promise<BearerProxy> {
  const { hostname, port, pathname } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const options = { hostname, port, path: url, method, headers: { ...headers, authorization: `Bearer ${token}` } };
    const passedOn = request(options, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    passedOn.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passedOn.destroy());
    incoming.pipe(passedOn);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
