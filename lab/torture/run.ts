import { cp } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fetchDocument } from '@payroll/tests/support/document';
import { repositoryRoot } from '@payroll/infra/processes';
import { progress } from '@payroll/tools/cli';
import { ordersOf } from '@payroll/tests/support/provider-orders';
import { seeded } from '@payroll/tests/support/random';
import { type Finding, accountsOf, contradictions, lostIn } from './checker/operations.js';
import { ANSWER_RULES, PAYMENT_RULES, lostApprovals } from './checker/rules.js';
import { drained } from './checker/liveness.js';
import { allowsSecondPayment, disorderIn, takeTestimony } from './checker/records.js';
import { Crew } from './clients/crew.js';
import { Door } from './clients/door.js';
import { employ } from './clients/employ.js';
import { History, readHistory } from './history.js';
import { type Arena, arenaOf } from './nemesis/arena.js';
import { allBlows, healAll } from './nemesis/blows.js';
import { Nemesis } from './nemesis/nemesis.js';
import { type Versions, setStage } from './system/system.js';

export interface Ran {
  seed: number;
  minutes: number;
  approvals: number;
  tries: number;
  unknowns: number;
  /** Retries of applied operations that were answered by a replay. */
  suppressed: number;
  /** Acknowledged approvals lost by a switch of databases. */
  lost: number;
  faults: Record<string, number>;
  drainSeconds: number;
  findings: Finding[];
  /** The history's file, relative to the root of the repository. */
  history: string;
}

interface RunOptions extends Versions {
  seed: number;
  minutes: number;
}

/** More than the clients can decide on. */
const PIECES_A_MINUTE = 5_000;

/** One seed: sets the stage, injects faults, heals, judges. */
export async function run({ seed, minutes, root, earlier }: RunOptions): Promise<Ran> {
  await using cleanup = new AsyncDisposableStack();
  const random = seeded(seed);
  const pieces = Math.ceil(minutes * PIECES_A_MINUTE);
  const stage = await setStage({ root, earlier, pieces, random }, cleanup);
  const history = new History(join(repositoryRoot, '.local', 'torture', `seed-${seed}.jsonl`));
  const ports = stage.ways.facades.map(({ port }) => port);
  const document = await fetchDocument(stage.stack.file.rest.url);
  const door = cleanup.use(new Door(ports, document, history));
  // A separate generator: how often clients draw a number depends on timing, and would change the order of the faults.
  const crew = new Crew(stage, history, door, seeded(seed + 1_000_000));
  const arena = arenaOf(stage, crew, random);
  const nemesis = new Nemesis(crew, allBlows(arena), random);

  progress(`Seed ${seed}: torturing for ${minutes} min`);
  const employed = employ(crew);
  const struck = nemesis.strikeUntil(performance.now() + minutes * 60_000);
  // In any case: clients that never stop would keep the run from ending.
  await Promise.all([struck, stage.upgrade()]).finally(() => (crew.isOver = true));
  progress('Healing');
  await healAll(arena);
  const { tookMs, findings } = await drained(crew);
  await employed.finish();
  await history[Symbol.asyncDispose]();
  await cp(join(stage.stack.dir, 'logs'), history.file.replace(/\.jsonl$/, '-logs'), { recursive: true });
  const judged = await judgeAll(arena, history.file);
  return {
    seed,
    minutes,
    approvals: crew.tally.approvals,
    tries: crew.tally.tries,
    unknowns: crew.tally.unknowns,
    suppressed: crew.tally.suppressed,
    lost: judged.lost,
    faults: Object.fromEntries(nemesis.struck),
    drainSeconds: Math.round(tookMs / 100) / 10,
    findings: [...judged.findings, ...findings],
    history: relative(repositoryRoot, history.file),
  };
}

async function judgeAll({ stage, left }: Arena, file: string): Promise<{ findings: Finding[]; lost: number }> {
  const entries = await readHistory(file);
  const [present, disorder, orders, allowsSecond] = await Promise.all([
    takeTestimony(stage.database),
    disorderIn(stage.database),
    ordersOf(stage.provider),
    allowsSecondPayment(stage.database),
  ]);
  const known = { entries, accounts: accountsOf(entries), lost: lostIn(entries), present, disorder };
  const evidence = { ...known, left, orders, allowsSecond };
  const findings = [...contradictions(PAYMENT_RULES, evidence), ...contradictions(ANSWER_RULES, known)];
  return { findings, lost: lostApprovals(evidence).length };
}
