const DETECTED = new Set(['Killed', 'Timeout']);
const UNDETECTED = new Set(['Survived', 'NoCoverage']);

const mutantsOf = ({ files }) =>
  Object.entries(files).flatMap(([file, { mutants }]) => mutants.map((mutant) => ({ ...mutant, file })));

/** The percentage of detected mutants among those that a test could have detected. */
export function scoreOf(report) {
  const mutants = mutantsOf(report);
  const noticed = mutants.filter(({ status }) => DETECTED.has(status)).length;
  const survived = mutants.filter(({ status }) => UNDETECTED.has(status)).length;
  const all = noticed + survived;
  return { mutants: all, noticed, survived, score: all === 0 ? null : Math.round((1000 * noticed) / all) / 10 };
}

/** A line for each survivor, such as `services/…/payout.ts:12 EqualityOperator: a < b`. */
export function survivorsOf(report) {
  return mutantsOf(report)
    .filter(({ status }) => UNDETECTED.has(status))
    .map(({ file, location, mutatorName, replacement = '', status }) => {
      const shown = replacement.replaceAll(/\s+/g, ' ').slice(0, 80);
      const untouched = status === 'NoCoverage' ? ' (no test comes by)' : '';
      return `${file}:${location.start.line} ${mutatorName}: ${shown}${untouched}`;
    });
}
