import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '@payroll/runtime';
import type { Guardian } from './guardian.js';
import { type Command, lastLogLine, openLog, readLogSince } from './run-to-end.js';

export interface ProcessSpec extends Command {
  readonly isReady: () => Promise<boolean>;
  readonly readyWithinMs?: number;
  /** How often it may end before it was ready for the first time; after that the start is aborted. */
  readonly startAttempts?: number;
  readonly stopSignal?: NodeJS.Signals;
  readonly stopWithinMs?: number;
  readonly backOff?: BackOff;
}

export interface SupervisorContext {
  readonly guardian: Guardian;
  report(line: string): void;
  /** The pid has changed, or no process runs. */
  onPid?(name: string, pid: number | undefined): void;
}

/** Restarts a program when it dies. It runs in its own process group. */
export class Supervised implements AsyncDisposable {
  private wanted = false;
  private wasReady = false;
  private child: { process: ChildProcess; ended: Promise<void> } | undefined;
  private failures = 0;
  private extraEnv: Readonly<Record<string, string>> = {};
  private lastDeath = '';
  private restartTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly spec: ProcessSpec,
    private readonly context: SupervisorContext,
  ) {}

  get name(): string {
    return this.spec.name;
  }

  get pid(): number | undefined {
    return this.child?.process.pid;
  }

  /** Resolves when it is ready. Throws a StartError, with nothing left running, if it does not become ready. */
  async start(extraEnv?: Readonly<Record<string, string>>): Promise<void> {
    if (this.wanted) return this.ready();
    this.extraEnv = extraEnv ?? {};
    this.wanted = true;
    this.wasReady = false;
    this.failures = 0;
    this.lastDeath = '';
    this.launch();
    try {
      await this.ready();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async ready(): Promise<void> {
    const { readyWithinMs = 60_000, logFile, name } = this.spec;
    const deadline = Date.now() + readyWithinMs;
    for (;;) {
      if (!this.wanted) throw new StartError(`${name} was stopped before it was ready`);
      const { child } = this;
      if (child !== undefined && (await this.spec.isReady()) && child === this.child) break;
      if (this.isHopeless() || Date.now() > deadline) {
        const why = this.lastDeath === '' ? 'it does not become ready' : this.lastDeath;
        throw new StartError(`${name} does not start: ${why} (see ${logFile})`);
      }
      await sleep(50);
    }
    this.wasReady = true;
  }

  /** Gracefully, then by force; it stays stopped until `start`. */
  async stop(): Promise<void> {
    this.wanted = false;
    clearTimeout(this.restartTimer);
    const { child } = this;
    if (child === undefined) return;
    const { stopSignal = 'SIGTERM', stopWithinMs = 8_000, name } = this.spec;
    child.process.kill(stopSignal);
    const kill = setTimeout(() => {
      this.context.report(`${name} does not stop within ${stopWithinMs / 1000} s and is killed`);
      child.process.kill('SIGKILL');
    }, stopWithinMs);
    await child.ended;
    clearTimeout(kill);
  }

  /** Resolves when that process has ended; unlike after `stop`, it is then restarted. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.child?.process.kill(signal);
    await this.child?.ended;
  }

  abandon(): void {
    this.wanted = false;
    clearTimeout(this.restartTimer);
    this.child?.process.kill('SIGKILL');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  private launch(): void {
    const { spec } = this;
    using log = openLog(spec.logFile);
    const startedAt = performance.now();
    const process = spawn(spec.command, spec.args, {
      cwd: spec.cwd,
      ...spec.user,
      env: { ...spec.env, ...this.extraEnv },
      stdio: ['ignore', log.fd, log.fd],
      // A separate process group: on Ctrl-C the terminal signals only us, and we stop the parts in order.
      detached: true,
    });
    const { size } = log;
    const ended = new Promise<void>((resolve) => {
      process.once('error', (error) => {
        if (process.pid === undefined) resolve(this.ended(error.message, performance.now() - startedAt));
      });
      process.once('exit', (code, signal) => {
        const how = signal ?? `exit code ${code ?? '?'}`;
        // The last log lines of a killed process do not explain its end.
        const words = this.wanted && signal === null ? lastLogLine(readLogSince(spec.logFile, size)) : '';
        resolve(this.ended(words === '' ? how : `${how}, ${words}`, performance.now() - startedAt));
      });
    });
    this.child = { process, ended };
    if (process.pid === undefined) return;
    this.context.guardian.watch(process.pid, spec.stopSignal);
    this.context.onPid?.(spec.name, process.pid);
  }

  private ended(how: string, ranMs: number): void {
    const { context, spec } = this;
    const pid = this.child?.process.pid;
    this.child = undefined;
    if (pid !== undefined) context.guardian.forget(pid);
    context.onPid?.(spec.name, undefined);
    if (!this.wanted) return;
    this.lastDeath = how;
    const backOff = spec.backOff ?? defaultBackOff;
    this.failures = countFailure(backOff, this.failures, ranMs);
    if (this.isHopeless()) return;
    const delayMs = delayBeforeRestart(backOff, this.failures);
    context.report(`${spec.name} ended (${how}); restarting in ${delayMs} ms`);
    this.restartTimer = setTimeout(() => void this.restart(), delayMs);
  }

  /** Waits as long as it takes: a dependency (a database, say) may be down for a while. */
  private async restart(): Promise<void> {
    this.launch();
    const { child } = this;
    while (this.wanted && this.child === child) {
      if (await this.spec.isReady().catch(() => false)) {
        if (this.child === child) this.context.report(`${this.name} is running again (pid ${this.pid ?? '?'})`);
        return;
      }
      await sleep(50);
    }
  }

  private isHopeless(): boolean {
    return !this.wasReady && this.failures >= (this.spec.startAttempts ?? 3);
  }
}

type BackOff = typeof defaultBackOff;

/** A process that ran for `resetAfterMs` has recovered: the next restart is a first one again. */
export const defaultBackOff = { firstMs: 250, maxMs: 10_000, resetAfterMs: 30_000 };

/** @param failures how many times in a row it ended early, including this time */
export function delayBeforeRestart({ firstMs, maxMs }: BackOff, failures: number): number {
  return Math.min(firstMs * 2 ** Math.min(failures - 1, 30), maxMs);
}

/** @returns the number of deaths in a row, including this one */
export function countFailure({ resetAfterMs }: BackOff, failures: number, ranMs: number): number {
  return ranMs >= resetAfterMs ? 1 : failures + 1;
}
