import { parseArgs } from 'node:util';
import { publishersFor } from '@payroll/events';
import { SERVICES, type ServiceName } from '@payroll/kernel';
import { runCommand } from '../cli.js';
import { insideOf, type RunInside } from './doctor/inside.js';

const USAGE = `Usage: npm run dead-letters -- [list] [--aside | --all] [--project <name>]
       npm run dead-letters -- show <id>
       npm run dead-letters -- put-back <id> --by <email>
       npm run dead-letters -- put-aside <id> --by <email> --reason <text>

Events that a service could not apply and keeps for a person; docs/runbook.md says when to do what (DeadLetters). Nothing is
lost by any of this.
  list       those that wait, of every service: where, id, since when, type, what it is about, why
  show       all that is known of one: the event, why it was refused, how often, its trace and what people did with it
  put-back   the service applies the event by its own command, once; should that fail, it is a dead letter again
  put-aside  nothing is done about it and no alert counts it; it is kept, listed by --aside, and can still be put back

  --project <n>  the services of this docker-compose project, asked in their containers; default: what npm start runs
  --in <s>       the service, where more than one could not apply the event
  --wait <n>     how many seconds put-back waits for the outcome (default 10); exit code 1 if it failed again

Each service is asked by a command of its own, which needs its database and nothing else: docker-compose exec <service>
node --env-file=/run/payroll/environment dist/<service>.js dead-letters --help
`;

/** A service that consumes no events has no dead letters. */
const HEARERS = SERVICES.filter((service) => publishersFor(service).length > 0);

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;
const HANDED_ON = { by: TEXT, reason: TEXT, wait: TEXT } as const;

type Options = ReturnType<typeof readOptions>;

function readOptions(args: readonly string[]) {
  const options = { project: TEXT, in: TEXT, aside: FLAG, all: FLAG, ...HANDED_ON };
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [what = 'list', id] = positionals;
  const among = HEARERS.filter((service) => values.in === undefined || service === values.in);
  if (among.length === 0) throw new Error(`--in is one of ${HEARERS.join(', ')}.`);
  if (what !== 'list' && id === undefined) throw new Error(`${what} needs the id that list shows.`);
  return { ...values, what, id, among };
}

async function main({ what, id, among, project, aside, all, ...rest }: Options): Promise<void> {
  const run = insideOf(project);
  if (what === 'list') {
    const which = [...(aside ? ['--aside'] : []), ...(all ? ['--all'] : [])];
    const lists = await Promise.all(among.map((service) => ask(run, service, 'list', ...which)));
    return say(lists.join('') || 'There is none.\n');
  }
  const service = await holderOf(run, among, id!);
  const handedOn = (Object.keys(HANDED_ON) as (keyof typeof HANDED_ON)[]).flatMap((name) => {
    const value = rest[name];
    return value === undefined ? [] : [`--${name}=${value}`];
  });
  say(await ask(run, service, what, id!, ...handedOn));
}

/** More than one consumer may have refused the same event. */
async function holderOf(run: RunInside, among: readonly ServiceName[], id: string): Promise<ServiceName> {
  const lists = await Promise.all(among.map((service) => ask(run, service, 'show', id).catch(noneThere)));
  const [service, ...others] = among.filter((_, n) => lists[n] !== '');
  if (!service) throw new Error(`there is no dead letter ${id}; list --all shows those there are`);
  if (others.length > 0) throw new Error(`${[service, ...others].join(' and ')} have it: name one with --in`);
  return service;
}

function noneThere(error: unknown): string {
  if (error instanceof Error && error.message.includes('has no dead letter')) return '';
  throw error;
}

/** @throws Error with the message of the service's command, without its stack */
async function ask(run: RunInside, service: ServiceName, ...args: string[]): Promise<string> {
  try {
    return await run(service, 'dead-letters', ...args);
  } catch (error) {
    const { stdout, stderr } = error as Partial<{ stdout: string; stderr: string }>;
    if (stderr) throw new Error(stderr.trim(), { cause: error });
    if (!stdout) throw error;
    // It was retried and refused again.
    process.exitCode = 1;
    return stdout;
  }
}

function say(text: string): void {
  process.stdout.write(text);
}

await runCommand('dead-letters', { usage: USAGE, read: readOptions, run: main });
