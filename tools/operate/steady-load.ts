import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { StartError } from '@payroll/runtime';
import { accessTo } from '../demo/graphql-client.js';
import { contractIn, hourly, registerWorker, submitWeek, type Submitted } from '../demo/steps.js';
import { runningStack, type DemoWorkspace, type StackEndpoints } from '../local/stack-file.js';
import { message, problemOf, quantile, type Request } from './requests.js';

/** Sends one request; resolves to null if the response was as expected, otherwise to the problem. */
type Send = (n: number) => Promise<string | null>;

/** Sends at a fixed rate, answered or not: requests delayed by a restart pile up here, as they do with real callers. */
export class SteadyLoad implements AsyncDisposable {
  private sent = 0;
  private stopped = false;
  private readonly open = new Set<Promise<void>>();
  private readonly running: Promise<void>;
  readonly problems: string[] = [];
  readonly latenciesMs: number[] = [];

  constructor(
    private readonly send: Send,
    private readonly perSecond: number,
  ) {
    this.running = this.run();
  }

  get tally() {
    return { sent: this.sent, failed: this.problems.length };
  }

  /** Stops sending and waits for the responses in flight. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.stopped = true;
    await this.running;
    await Promise.all(this.open);
  }

  private async run(): Promise<void> {
    const startedAt = performance.now();
    while (!this.stopped) {
      const due = ((performance.now() - startedAt) * this.perSecond) / 1_000;
      while (this.sent < due) this.start(this.sent++);
      await pause(5);
    }
  }

  private start(n: number): void {
    const sentAt = performance.now();
    const answered = this.send(n)
      .catch((error: unknown) => String(error))
      .then((problem) => {
        this.latenciesMs.push(performance.now() - sentAt);
        if (problem !== null) this.problems.push(problem);
        this.open.delete(answered);
      });
    this.open.add(answered);
  }
}

/** Report for a person: each problem and how often it occurred, then totals. */
export function describeLoad(title: string, { tally, problems, latenciesMs }: SteadyLoad): string {
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(share, latenciesMs).toFixed(0));
  const wrong = [...Map.groupBy(problems, (each) => each)].map(([each, all]) => `  ${all.length} × ${each}\n`);
  const sent = `${tally.sent} sent, ${tally.failed} failed requests, p50 ${p50} ms, p99 ${p99} ms`;
  return `${wrong.join('')}${title}: ${sent}\n`;
}

const CONNECTIONS = 16;
const LISTS = ['/contracts?limit=25', '/timesheets?status=submitted&limit=25', '/payments?limit=25'];
const TOOLS = ['get_business', 'list_timesheets', 'list_contracts', 'list_payments'];
/** Out of five requests; out of fifty, one more piece of work is submitted and one approved. */
const KINDS = ['row', 'list', 'tool', 'row', 'list'] as const;

/**
 * Requests of callers, in a fixed order over the demo's workspaces, roles and connections: at 50 a second no limit is
 * reached.
 */
export async function mixedRequests(cleanup: AsyncDisposableStack): Promise<Send> {
  const stack = runningStack();
  if (stack?.workspaces === undefined) throw new StartError('STACK_DIR names no stack.json with demo data');
  const poolOf = (url: string): Pool =>
    cleanup.adopt(new Pool(new URL(url).origin, { connections: CONNECTIONS }), (open) => open.close());
  const doors = { rest: poolOf(stack.rest.url), mcp: poolOf(stack.mcp!.url) };
  const callers = await Promise.all(stack.workspaces.map((workspace) => Caller.of(stack, workspace, doors)));
  return (n) => {
    const [turn, write] = [Math.floor(n / KINDS.length), Math.floor(n / 50)];
    if (n % 50 === 24) return callers[write % callers.length]!.submit();
    if (n % 50 === 49) return callers[write % callers.length]!.approve();
    return callers[turn % callers.length]!.read(KINDS[n % KINDS.length]!, turn);
  };
}

class Caller {
  private weeks = 0;
  private readonly submitted: Submitted[] = [];

  private constructor(
    private readonly stack: StackEndpoints,
    private readonly workspace: DemoWorkspace,
    private readonly doors: { rest: Pool; mcp: Pool },
    private readonly contractId: string,
  ) {}

  static async of(stack: StackEndpoints, workspace: DemoWorkspace, doors: Caller['doors']): Promise<Caller> {
    const access = accessTo(stack.graphql, workspace.id);
    const worker = await registerWorker(access, `Mara Steady ${randomUUID().slice(0, 8)}`, 'steady.example');
    const contractId = await contractIn(access, worker, hourly('Steady work', 'EUR', '50'), 'active');
    const caller = new Caller(stack, workspace, doors, contractId);
    // Submit some in advance, so that an approval never waits for a submission.
    for (let n = 0; n < 3; n++) await caller.submit();
    return caller;
  }

  read(kind: (typeof KINDS)[number], turn: number): Promise<string | null> {
    const of = <T>(all: readonly T[]): T => all[turn % all.length]!;
    if (kind === 'tool') {
      const headers = { authorization: `Bearer ${of(Object.values(this.workspace.mcpTokens!))}` };
      return problemOf(this.doors.mcp, message(headers, 'tools/call', { name: of(TOOLS), arguments: {} }));
    }
    const path = kind === 'list' ? of(LISTS) : of(['/business', `/contracts/${this.contractId}`, '/balances']);
    return this.ask({ method: 'GET', path, headers: this.as(of(Object.values(this.workspace.apiKeys))) });
  }

  async submit(): Promise<null> {
    const access = accessTo(this.stack.graphql, this.workspace.id);
    this.submitted.push(await submitWeek(access, this.contractId, this.weeks++, '10'));
    return null;
  }

  async approve(): Promise<string | null> {
    const work = this.submitted.shift();
    if (!work) return 'There was nothing left to approve: the submissions before have failed.';
    const about = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const headers = { ...this.as(this.workspace.apiKeys.admin), ...about };
    const body = JSON.stringify({ expectedVersion: work.version });
    return await this.ask({ method: 'POST', path: `/timesheets/${work.id}/approve`, headers, body });
  }

  private ask(request: Request): Promise<string | null> {
    const prefix = new URL(this.stack.rest.url).pathname;
    return problemOf(this.doors.rest, { ...request, path: prefix + request.path });
  }

  private as(key: string): Record<string, string> {
    return { authorization: `Bearer ${key}` };
  }
}
