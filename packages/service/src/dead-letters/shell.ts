import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Commands } from '@payroll/commands';
import { DomainError, newId, type ServiceName, systemOrigin } from '@payroll/kernel';
import { type MainCommand, readSettings, StartError } from '@payroll/runtime';
import { databaseSettings, openDatabase, type Schema } from '@payroll/store';
import { putBackLetter, putLetterAside } from './handle-letter.js';
import { type DeadLetter, type DeadLetterState, type DeadLetterStep, findLetter, lettersIn } from './letters.js';

const MAX_LISTED = 100;

const USAGE = `Usage: dead-letters list [--aside | --all]
       dead-letters show <id>
       dead-letters put-back <id> --by <email> [--wait <seconds>]
       dead-letters put-aside <id> --by <email> --reason <text>

Events that this service could not apply and keeps for a person, in its own tables and with its own rights.
  list       those that wait: id, when, type, what it is about, why; --aside: those put aside; --all: the applied ones too
  show       all that is known of one: the event, why it was refused, how often, its trace and what people did with it
  put-back   the running service applies it by its own command, once; should that fail, it is a dead letter again.
             Waits for the outcome, 10 s unless --wait says otherwise
  put-aside  nothing is done about it and no alert counts it; it is kept, and can still be put back
`;

const STATES = {
  waiting: ['waiting', 'put_back'],
  aside: ['put_aside'],
  all: ['waiting', 'put_back', 'put_aside', 'applied'],
} as const satisfies Record<string, readonly DeadLetterState[]>;

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean', default: false } as const;
const OPTIONS = { aside: FLAG, all: FLAG, by: TEXT, reason: TEXT, wait: { ...TEXT, default: '10' } };

type Options = ReturnType<typeof readOptions>;

function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  const [what, id = '', ...more] = positionals;
  const waitSeconds = Number(values.wait);
  const lacksId = what !== 'list' && id === '';
  if (lacksId || more.length > 0 || !(waitSeconds >= 0))
    throw new StartError('dead-letters takes other arguments; try --help');
  return { ...values, what, id, waitSeconds };
}

/** Of each service, at a shell: an operator may have its database and nothing else. */
export function deadLettersCommand(service: ServiceName, schema: Schema): MainCommand {
  return {
    help: 'lists events that could not be applied, and lets a person put them back or aside',
    usage: USAGE,
    run: async (env, args) => {
      const options = readOptions(args);
      const orm = await openDatabase(schema, readSettings(env, databaseSettings));
      try {
        process.stdout.write(await answer(service, orm.em.fork(), options));
      } catch (error) {
        throw error instanceof DomainError ? new StartError(error.message) : error;
      } finally {
        await orm.close();
      }
    },
  };
}

async function answer(service: ServiceName, em: EntityManager, options: Options): Promise<string> {
  const { what, id, all, aside } = options;
  if (what === 'list') {
    const states = STATES[all ? 'all' : aside ? 'aside' : 'waiting'];
    const letters = await lettersIn(em, service, states, MAX_LISTED + 1);
    const more = letters.length > MAX_LISTED ? `${service}  and more, which are older\n` : '';
    return letters.slice(0, MAX_LISTED).map(formatDeadLetterLine).join('') + more;
  }
  const letter = await findLetter(em, service, id);
  if (!letter) throw new StartError(`${service} has no dead letter ${id}; try  dead-letters list --all`);
  switch (what) {
    case 'show':
      return formatDeadLetter(letter);
    case 'put-back':
      return await putBack(service, em, letter, options);
    case 'put-aside':
      return formatDeadLetter(await putAside(service, em, letter, options));
    default:
      throw new StartError(`dead-letters does not know "${what ?? ''}"; try --help`);
  }
}

async function putBack(
  service: ServiceName,
  em: EntityManager,
  { id, workspaceId }: DeadLetter,
  { by, waitSeconds }: Options,
): Promise<string> {
  const until = performance.now() + waitSeconds * 1_000;
  await new Commands({ em }).run(putBackLetter, { service, id, by }, originIn(workspaceId));
  for (;;) {
    const letter = (await findLetter(em, service, id))!;
    if (letter.state !== 'put_back') {
      if (letter.state === 'waiting') process.exitCode = 1;
      return formatDeadLetter(letter);
    }
    if (performance.now() > until) return `${formatDeadLetter(letter)}It is applied as soon as ${service} can.\n`;
    await pause(100);
  }
}

async function putAside(
  service: ServiceName,
  em: EntityManager,
  { id, workspaceId }: DeadLetter,
  { by, reason = '' }: Options,
): Promise<DeadLetter> {
  return await new Commands({ em }).run(putLetterAside, { service, id, by, reason }, originIn(workspaceId));
}

function originIn(workspaceId: string) {
  return systemOrigin(workspaceId, 'runner', newId());
}

/** In a list: where it is, which one, since when, what it is about and why. */
function formatDeadLetterLine({ consumer, id, state, buriedAt, type, aboutId, reason }: DeadLetter): string {
  const since = `${buriedAt.slice(0, 19)}Z`;
  const words = [consumer.padEnd(10), id, state.replace('_', ' ').padEnd(9), since, type, `about ${aboutId ?? '?'}`];
  return `${words.join('  ')}: ${reason}\n`;
}

/** All that is known of it. The event is whole: ids, dates and amounts, and no personal text. */
function formatDeadLetter(letter: DeadLetter): string {
  const { id, type, consumer, publisher, workspaceId, aboutId, occurredAt, requestId, traceId } = letter;
  const facts = {
    'dead letter': id,
    event: `${type}, from ${publisher ?? 'nobody known'} to ${consumer}`,
    workspace: workspaceId,
    about: aboutId,
    occurred: occurredAt,
    request: requestId,
    trace: traceId,
    state: letter.state.replace('_', ' '),
    body: letter.event,
  };
  const lines = Object.entries(facts).filter(([, fact]) => fact !== null);
  return `${lines.map(([name, fact]) => `${name.padEnd(12)} ${fact}\n`).join('')}${letter.story.map(stepLine).join('')}`;
}

function stepLine({ step, at, by, reason }: DeadLetterStep): string {
  return `${at}  ${[step.replace('_', ' '), by && `by ${by}`].filter(Boolean).join(' ')}${reason ? `: ${reason}` : ''}\n`;
}
