import { DefaultReporter, type TestCase, type TestModule } from 'vitest/node';

type Started = Parameters<DefaultReporter['onTestRunStart']>[0];
type Ended = Parameters<DefaultReporter['onTestRunEnd']>;

/** Runs of at most this many files print a line for each; larger runs print only those that failed. */
const FEW = 20;
const SAY_EVERY_MS = 15_000;

/** Prints the scope, failures in full, and at the end the slowest files and the command that repeats each failure. */
export class Reporter extends DefaultReporter {
  private files = 0;
  private done = 0;
  private failed = 0;
  private saidAt = performance.now();

  /** @param leftOut the names of the long runs that this run does not include */
  constructor(private readonly leftOut: readonly string[]) {
    super();
  }

  override onTestRunStart(started: Started): void {
    super.onTestRunStart(started);
    [this.files, this.done, this.failed] = [started.length, 0, 0];
    const projects = Map.groupBy(started, ({ project }) => project.name);
    const scope = [...projects].map(([name, { length }]) => `${length} ${name}`).join(', ');
    const isMissed = projects.has('system') && started.length > FEW;
    const left = isMissed ? `; ${this.leftOut.length} long ones left out (LONG_TESTS=1)` : '';
    this.log(`${count(started.length, 'file')}: ${scope}${left}`);
  }

  protected override printTestModule(testModule: TestModule): void {
    this.done += 1;
    if (!testModule.ok()) this.failed += 1;
    if (!testModule.ok() || this.files <= FEW) return super.printTestModule(testModule);
    if (this.isTTY || performance.now() - this.saidAt < SAY_EVERY_MS) return;
    this.saidAt = performance.now();
    this.log(`${this.done} of ${this.files} files, ${this.failed} failed`);
  }

  override onTestRunEnd(...ended: Ended): void {
    super.onTestRunEnd(...ended);
    const [modules] = ended;
    const slowest = modules.toSorted((a, b) => msOf(b) - msOf(a)).slice(0, 10);
    if (modules.length > FEW) this.list('The slowest files', slowest.map(timeOf));
    // With -t, tests that do not match are skipped as well.
    if (!this.ctx.config.testNamePattern) this.list('Skipped', skipped(modules.flatMap(testsOf)));
    this.list('To repeat what failed', modules.filter((one) => !one.ok()).flatMap(repeatsOf));
  }

  private list(title: string, lines: readonly string[]): void {
    if (lines.length > 0) this.log([title, ...lines.map((line) => `  ${line}`), ''].join('\n'));
  }
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;
const msOf = (one: TestModule): number => one.diagnostic().collectDuration + one.diagnostic().duration;
const timeOf = (one: TestModule): string => `${(msOf(one) / 1000).toFixed(1).padStart(6)} s  ${one.relativeModuleId}`;
const testsOf = ({ children }: TestModule): TestCase[] => [...children.allTests()];

/** The title of a skipped suite contains the reason. */
function skipped(tests: readonly TestCase[]): string[] {
  const all = tests.filter(({ options }) => options.mode === 'skip');
  const title = ({ parent, module: file, name }: TestCase): string =>
    `${file.relativeModuleId}: ${parent.type === 'suite' ? parent.fullName : name}`;
  return [...Map.groupBy(all, title)].map(([name, { length }]) => `${count(length, 'test')} of ${name}`);
}

/** The whole file if most of it failed, or if it could not be loaded or set up. */
function repeatsOf(one: TestModule): string[] {
  const failed = testsOf(one).filter((test) => test.result().state === 'failed');
  const command = `npm test -- ${one.relativeModuleId}`;
  const isWhole = failed.length === 0 || failed.length > 5;
  return isWhole ? [command] : failed.map((test) => `${command} -t '${patternOf(test)}'`);
}

/** Escapes a title for a regular expression and for the shell. */
function patternOf({ fullName }: TestCase): string {
  return fullName.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&').replaceAll("'", `'\\''`);
}
