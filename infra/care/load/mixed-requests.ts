import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { message, problemOf, type Message } from '../../bench/crowd.js';
import { accessTo } from '../../demo/graphql-client.js';
import { contractIn, hourly, registerWorker, submitWeek, type Submitted } from '../../demo/steps.js';
import type { DemoWorkspace, StackDoors } from '../../local/stack-file.js';
import type { Send } from './steady-load.js';

const CONNECTIONS = 16;
const LISTS = ['/contracts?limit=25', '/timesheets?status=submitted&limit=25', '/payments?limit=25'];
const TOOLS = ['get_business', 'list_timesheets', 'list_contracts', 'list_payments'];
/** Of every five; in every fifty, one piece of work is submitted and one approved beside. */
const KINDS = ['row', 'list', 'tool', 'row', 'list'] as const;

/**
 * What callers do, in a fixed order over the demo's workspaces, roles and connections, so that no limit is met at 50 a
 * second: rows, lists, tools of assistants, work that is submitted by an internal team and then approved by an admin.
 */
export async function mixedRequests(stack: StackDoors, cleanup: AsyncDisposableStack): Promise<Send> {
  const poolOf = (url: string): Pool =>
    cleanup.adopt(new Pool(new URL(url).origin, { connections: CONNECTIONS }), (open) => open.close());
  const doors = { rest: poolOf(stack.rest.url), mcp: poolOf(stack.mcp!.url) };
  const callers = await Promise.all(stack.workspaces!.map((workspace) => Caller.of(stack, workspace, doors)));
  return (n) => {
    const [turn, write] = [Math.floor(n / KINDS.length), Math.floor(n / 50)];
    if (n % 50 === 24) return callers[write % callers.length]!.submit();
    if (n % 50 === 49) return callers[write % callers.length]!.approve();
    return callers[turn % callers.length]!.read(KINDS[n % KINDS.length]!, turn);
  };
}

interface Doors {
  rest: Pool;
  mcp: Pool;
}

/** One workspace's people and machines. */
class Caller {
  private weeks = 0;
  private readonly submitted: Submitted[] = [];

  private constructor(
    private readonly stack: StackDoors,
    private readonly workspace: DemoWorkspace,
    private readonly doors: Doors,
    private readonly contractId: string,
  ) {}

  static async of(stack: StackDoors, workspace: DemoWorkspace, doors: Doors): Promise<Caller> {
    const access = accessTo(stack.graphql, workspace.id);
    const worker = await registerWorker(access, `Mara Steady ${randomUUID().slice(0, 8)}`, 'steady.example');
    const contractId = await contractIn(access, worker, hourly('Steady work', 'EUR', '50'), 'active');
    const caller = new Caller(stack, workspace, doors, contractId);
    // A few in hand, so that an approval never waits for the submission before it.
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
    const headers = {
      ...this.as(this.workspace.apiKeys.admin),
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    const body = JSON.stringify({ expectedVersion: work.version });
    return await this.ask({ method: 'POST', path: `/timesheets/${work.id}/approve`, headers, body });
  }

  private ask(request: Message): Promise<string | null> {
    const prefix = new URL(this.stack.rest.url).pathname;
    return problemOf(this.doors.rest, { ...request, path: prefix + request.path });
  }

  private as(key: string): Record<string, string> {
    return { authorization: `Bearer ${key}` };
  }
}
