import { runTool, type ToolOutput } from './tool.js';
import type { Case, Verdict } from './verdict.js';

interface RedoclyReport {
  totals: { errors: number; warnings: number };
  problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
}

/** Fails on any problem, even a warning. */
export async function redocly({ documentFile }: Case): Promise<Verdict> {
  const output = await runTool('redocly', ['lint', documentFile, '--config', 'redocly.yaml', '--format', 'json']);
  const { totals, problems } = reportOf<RedoclyReport>(output);
  return {
    isPassed: totals.errors + totals.warnings === 0,
    summary: `${totals.errors + totals.warnings} problems`,
    findings: problems.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`),
  };
}

interface SpectralFinding {
  severity: number;
  code: string;
  message: string;
  path: string[];
}

/** Spectral numbers severities from 0, an error. */
const ERROR = 0;

/** Fails on errors; spectral.yaml lists the disabled rules, each with its reason. */
export async function spectral({ documentFile }: Case): Promise<Verdict> {
  const output = await runTool('spectral', [
    'lint',
    documentFile,
    '--ruleset',
    'spectral.yaml',
    '--format',
    'json',
    '--quiet',
  ]);
  const found = reportOf<SpectralFinding[]>(output);
  const errors = found.filter(({ severity }) => severity === ERROR);
  return {
    isPassed: errors.length === 0,
    summary: `${errors.length} errors, ${found.length - errors.length} warnings`,
    findings: errors.map(({ code, message, path }) => `${code} at ${path.join('/')}: ${message}`),
  };
}

/** @throws Error with the tool's own output if it prints no report */
function reportOf<Report>({ stdout, all }: ToolOutput): Report {
  try {
    return JSON.parse(stdout) as Report;
  } catch {
    throw new Error(`it gave no report:\n${all.slice(-2000)}`);
  }
}
