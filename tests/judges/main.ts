import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seedPeopleAndAssistants } from '@payroll/tools/demo/seed';
import { startThrowAwayStack } from '@payroll/tools/local/stack';
import { conformance } from './conformance/conformance.js';
import { hive } from './hive/hive.js';
import { inspector } from './inspector.js';
import { redocly, spectral } from './lint.js';
import { prism } from './prism.js';
import type { Case, Judge } from './verdict.js';

const JUDGES: Readonly<Record<string, { says: string; judge: Judge }>> = {
  redocly: { says: 'Redocly recommended-strict', judge: redocly },
  spectral: { says: 'Spectral spectral:oas and OWASP', judge: spectral },
  prism: { says: 'end-to-end tests through Prism', judge: prism },
  conformance: { says: 'MCP conformance suite', judge: conformance },
  inspector: { says: 'MCP inspector', judge: inspector },
  hive: { says: 'Hive in front of the subgraphs', judge: hive },
};

async function main(names: readonly string[]): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  console.log('Starting a system of its own …');
  const subject = await startCase(cleanup);
  let failed = 0;
  for (const name of names.length > 0 ? names : Object.keys(JUDGES)) {
    if (!(await judged(name, subject))) failed += 1;
  }
  process.exitCode = failed > 0 ? 1 : 0;
}

async function startCase(cleanup: AsyncDisposableStack): Promise<Case> {
  const stack = cleanup.use(await startThrowAwayStack('judges', seedPeopleAndAssistants));
  const {
    rest: { url: baseUrl },
    mcp,
    workspaces,
  } = stack.file;
  const served = await fetch(`${baseUrl}/openapi.json`);
  if (!served.ok) throw new Error(`openapi.json answers ${served.status}`);
  const documentFile = join(stack.dir, 'openapi.json');
  await writeFile(documentFile, await served.text());
  const token = workspaces?.[0]?.mcpTokens?.admin;
  if (!mcp || !token) throw new Error('the system has no MCP server, or nobody who is signed in there');
  return { documentFile, baseUrl, mcp: { url: mcp.url, token }, stack, stackDir: stack.dir, scratchDir: stack.dir };
}

async function judged(name: string, subject: Case): Promise<boolean> {
  const { says, judge } = JUDGES[name]!;
  const startedAt = performance.now();
  const { isPassed, summary, findings } = await judge(subject).catch((error: unknown) => ({
    isPassed: false,
    summary: 'could not judge',
    findings: [error instanceof Error ? error.message : String(error)],
  }));
  const took = `${((performance.now() - startedAt) / 1000).toFixed(1)} s`.padStart(8);
  console.log(`${isPassed ? 'ok    ' : 'FAILED'} ${took}  ${says}: ${summary}`);
  if (!isPassed) for (const finding of findings) console.log(finding.replaceAll(/^/gm, '    '));
  return isPassed;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(`npm run judges: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
