/** The part of Stryker's report that we read. */
export interface Report {
  files: Readonly<Record<string, { mutants: readonly Mutant[] }>>;
}

interface Mutant {
  status: string;
  location: { start: { line: number } };
  mutatorName: string;
  replacement?: string;
}

const DETECTED = ['Killed', 'Timeout'];
const UNDETECTED = ['Survived', 'NoCoverage'];

const mutantsOf = ({ files }: Report) =>
  Object.entries(files).flatMap(([file, { mutants }]) => mutants.map((mutant) => ({ ...mutant, file })));

/** The percentage of detected mutants among those that a test could have detected. */
export function scoreOf(report: Report) {
  const count = (which: readonly string[]): number =>
    mutantsOf(report).filter(({ status }) => which.includes(status)).length;
  const [noticed, survived] = [count(DETECTED), count(UNDETECTED)];
  const all = noticed + survived;
  return { mutants: all, noticed, survived, score: all === 0 ? null : Math.round((1000 * noticed) / all) / 10 };
}

/** A line for each survivor, such as `services/…/payout.ts:12 EqualityOperator: a < b`. */
export function survivorsOf(report: Report): string[] {
  return mutantsOf(report)
    .filter(({ status }) => UNDETECTED.includes(status))
    .map(({ file, location, mutatorName, replacement = '', status }) => {
      const shown = replacement.replaceAll(/\s+/g, ' ').slice(0, 80);
      const untouched = status === 'NoCoverage' ? ' (no test comes by)' : '';
      return `${file}:${location.start.line} ${mutatorName}: ${shown}${untouched}`;
    });
}
