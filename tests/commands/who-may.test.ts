import { globSync, readFileSync } from 'node:fs';
import {
  isDomainError,
  MEMBERS_OR_INTERNAL,
  newId,
  SCOPES,
  STAFF_TEAMS,
  type Actor,
  type Origin,
  type Role,
} from '@payroll/kernel';
import { Commands, defineCommand, writePathTables, type Command } from '@payroll/commands';
import type { Schema } from '@payroll/store';
import { TestDatabase } from '../../packages/store/test/databases.js';
import type { Deployment } from '@payroll/runtime';
import { SandboxCommand } from '@payroll/service';
import { decideWith } from '../../services/payments/src/commands/instructions.js';
import { changeContractTerms } from '../../services/contracts/src/commands/contract-terms.js';
import {
  correctOwnTimesheet,
  submitOwnTimesheet,
  submitTimesheetForClient,
} from '../../services/review/src/commands/own-work.js';
import { createApiKey, rotateApiKey } from '../../services/workspaces/src/commands/api-keys.js';
import {
  changePayee,
  doubtDetails,
  enterMyPayee,
  registerPayee,
  stopChange,
} from '../../services/payments/src/commands/payees.js';
import { payManually } from '../../services/payments/src/commands/pay-manually.js';
import { afterAll, expect, it } from 'vitest';

type AnyCommand = Command<object, unknown>;

const ROOT = new URL('../../', import.meta.url).pathname;

const principalId = newId();
/** Every id by which a command can identify the owner: the actor's own. */
const INPUT = { id: principalId, membershipId: principalId, accountId: principalId };
const NOT_OWN = { id: newId(), membershipId: newId(), accountId: newId() };

const rights = { principalId, workspaceId: newId(), role: null, scopes: SCOPES } as const;
const person = (role: Role | null, hasRecentPassword = true): Actor => {
  return { ...rights, kind: 'person', person: 'ada@example.com', role, sessionId: newId(), hasRecentPassword };
};
const LONG_SIGNED_IN = 'admin, long signed in';
const roles = ['admin', 'member', 'viewer'] as const;

const ACTORS: readonly { name: string; actor: Actor; input: object }[] = [
  ...roles.map((role) => ({ name: role, actor: person(role), input: NOT_OWN })),
  { name: LONG_SIGNED_IN, actor: person('admin', false), input: NOT_OWN },
  { name: 'newcomer', actor: person(null), input: NOT_OWN },
  { name: 'own', actor: person('viewer'), input: INPUT },
  {
    name: 'worker',
    actor: {
      ...{ ...rights, scopes: [], kind: 'worker', workerId: newId() },
      ...{ person: 'wanda@example.com', sessionId: newId(), hasRecentPassword: true },
    },
    input: INPUT,
  },
  ...roles.flatMap((role) =>
    (['api_key', 'connection'] as const).map((kind) => ({
      name: `${kind}:${role}`,
      actor: { ...rights, kind, role },
      input: INPUT,
    })),
  ),
  ...STAFF_TEAMS.map((team) => ({
    name: team,
    actor: { ...rights, kind: 'staff', team, person: 'olga@example.com' } as const satisfies Actor,
    input: INPUT,
  })),
  { name: 'service', actor: { ...rights, kind: 'service' }, input: INPUT },
  { name: 'system', actor: { ...rights, kind: 'system' }, input: INPUT },
];

const schema: Schema = {
  name: 'contracts',
  tables: [...writePathTables],
  migrations: [],
  migrationsDir: import.meta.dirname,
};
const database = await TestDatabase.open('who_may', schema);
const runner = new Commands({ em: await database.process() });
afterAll(() => database[Symbol.asyncDispose]());

async function everyCommand(deployment: Deployment = 'test'): Promise<Map<string, AnyCommand>> {
  const files = globSync(
    ['services/*/src/commands/*.ts', 'packages/service/src/{sandbox,dead-letters/handle-letter}.ts'],
    {
      cwd: ROOT,
    },
  ).toSorted();
  const found = new Map<string, AnyCommand>();
  for (const file of files) {
    const exported = Object.values((await import(ROOT + file)) as Record<string, unknown>).map((each) =>
      each instanceof SandboxCommand ? each.in(deployment) : each,
    );
    for (const each of exported.filter(isCommand)) found.set(`${file.split('/')[1]} ${each.name}`, each);
  }
  found.set('workspaces api-key.create', createApiKey('') as AnyCommand);
  found.set('workspaces api-key.rotate', rotateApiKey('') as AnyCommand);
  found.set('contracts contract.change-terms', changeContractTerms({ hasAccess: false }) as AnyCommand);
  found.set('review timesheet.submit-own', submitOwnTimesheet({} as never) as AnyCommand);
  found.set('review timesheet.submit-for-client', submitTimesheetForClient({} as never) as AnyCommand);
  found.set('review timesheet.correct-own', correctOwnTimesheet({} as never) as AnyCommand);
  found.set('payments instruction.decide', decideWith({}) as AnyCommand);
  found.set('payments payment.pay-by-hand', payManually(null) as AnyCommand);
  found.set('payments payee.register', registerPayee({ deployment }) as AnyCommand);
  found.set('payments payee.change', changePayee({ deployment, holdHours: 24 }) as AnyCommand);
  found.set('payments payee.stop-change', stopChange(deployment) as AnyCommand);
  found.set('payments payee.enter-mine', enterMyPayee({ deployment, holdHours: 24 }) as AnyCommand);
  found.set('payments payee.doubt', doubtDetails({ deployment, holdHours: 24 }) as AnyCommand);
  return found;
}

function isCommand(value: unknown): value is AnyCommand {
  return typeof value === 'object' && value !== null && 'decide' in value && 'who' in value;
}

/**
 * Applies the command twice, once on the actor's own resource; then every kind of actor repeats both as the same
 * principal.
 */
async function whoGetsReplay(command: AnyCommand): Promise<string[]> {
  const [workspaceId, own, notOwn] = [newId(), newId(), newId()];
  const originOf = (actor: Actor): Origin => ({ actor: { ...actor, workspaceId }, via: 'rest', requestId: 'req_1' });
  const applied = defineCommand(command.name, {
    who: MEMBERS_OR_INTERNAL,
    decide: (_, given: object) => Promise.resolve({ kept: given }),
  });
  await runner.run(applied, INPUT, { ...originOf(ACTORS[0]!.actor), operationId: own });
  await runner.run(applied, NOT_OWN, { ...originOf(ACTORS[0]!.actor), operationId: notOwn });
  const found: string[] = [];
  for (const { name, actor, input } of ACTORS) {
    try {
      // The command's tables do not exist here, and a replay needs none.
      const find = (): Promise<unknown> => Promise.resolve(null);
      const decide = (): Promise<never> => Promise.reject(new Error('A replay was decided anew.'));
      const again = await runner.run({ ...command, find, decide }, input, {
        ...originOf(actor),
        operationId: input === INPUT ? own : notOwn,
      });
      expect(again).toEqual({ kept: input });
      found.push(name);
    } catch (error) {
      if (!isDomainError(error, 'INSUFFICIENT_SCOPE')) throw error;
    }
  }
  return found;
}

/** Commands that need a recent password are listed with it. */
function listed(found: readonly string[]): string {
  const isLasting = found.includes(LONG_SIGNED_IN);
  return found
    .filter((name) => name !== LONG_SIGNED_IN)
    .map((name) => (name === 'admin' && !isLasting ? 'admin (recent password)' : name))
    .join(', ');
}

it('includes every command in the sources', async () => {
  const files = globSync('{services,packages}/*/src/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] });
  const defined = files.flatMap((file) => {
    const names = readFileSync(ROOT + file, 'utf8').matchAll(
      /(?:defineCommand|defineSandboxCommand|sandboxVersionOf)\(\s*'([^']+)'/g,
    );
    return [...names].map(([, name]) => `${file.split('/')[1]} ${name}`);
  });
  expect([...(await everyCommand()).keys()].toSorted()).toEqual(defined.toSorted());
});

it('in a live deployment no actor may run a sandbox command, not even as a replay', async () => {
  const played = [...(await everyCommand('live'))].filter(([name]) => name.includes(' sandbox.'));
  expect(played.length).toBeGreaterThan(7);
  for (const [name, command] of played) expect(await whoGetsReplay(command), name).toEqual([]);
});

it('a replay of any command answers only the actors that may run the command now', async () => {
  const commands = [...(await everyCommand())];
  const lines = commands.map(async ([name, command]) => `${name}: ${listed(await whoGetsReplay(command))}\n`);
  await expect((await Promise.all(lines)).toSorted().join('')).toMatchFileSnapshot('who-may.txt');
});
