import type { ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool, startTool } from './tool.js';
import type { Case, Verdict } from './verdict.js';

const STARTS_WITHIN_MS = 60_000;

interface TestReport {
  numPassedTests: number;
  numFailedTests: number;
}

/**
 * Runs the end-to-end suite through a proxy that validates every message against the document. The tests themselves
 * reject an answer with a violation, and an accepted request with one; here the proxy's log is counted.
 */
export async function prism({ documentFile, baseUrl, stackDir, scratchDir }: Case): Promise<Verdict> {
  await using proxy = await startProxy(documentFile, baseUrl);
  const reportFile = join(scratchDir, 'e2e.json');
  const vitest = ['node_modules/vitest/vitest.mjs', '--run', '--config', 'tests/vitest.config.ts'];
  const { all } = await runTool(
    'node',
    [
      ...vitest,
      '--project',
      'system',
      'tests/e2e',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportFile}`,
    ],
    { STACK_DIR: stackDir, V1_URL: proxy.url },
  );
  const { numPassedTests, numFailedTests } = JSON.parse(await readFile(reportFile, 'utf8')) as TestReport;
  const answers = proxy.log().match(/The upstream call to/g)?.length ?? 0;
  const violations = proxy.log().match(/Violation: response.*/g) ?? [];
  return {
    isPassed: numFailedTests === 0 && numPassedTests > 0 && violations.length === 0 && answers > 0,
    summary: `${numPassedTests} tests passed, ${numFailedTests} failed; ${answers} answers, ${violations.length} violations`,
    findings: [...new Set(violations), ...(numFailedTests > 0 ? [all] : [])],
  };
}

interface Proxy extends AsyncDisposable {
  url: string;
  log: () => string;
}

async function startProxy(documentFile: string, upstream: string): Promise<Proxy> {
  const child = startTool('prism', ['proxy', documentFile, upstream, '--port', '0', '--cors', 'false']);
  let log = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const [, url] = await seen(child, /listening on (http:\/\/\S+)/, () => log);
  return {
    url: url!,
    log: () => log,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

/** Resolves once the program has printed it. @throws Error if the program ends, or does not print it within a minute */
async function seen(child: ChildProcess, what: RegExp, log: () => string): Promise<RegExpExecArray> {
  const signal = AbortSignal.timeout(STARTS_WITHIN_MS);
  try {
    for await (const _more of on(child.stdout!, 'data', { signal, close: ['end'] })) {
      const match = what.exec(log());
      if (match) return match;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  child.kill();
  throw new Error(`prism does not start:\n${log()}`);
}
