import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROLE_SCOPES, ROLES, type Role } from '@payroll/kernel';
import type { DemoFacts } from '../local/assemble-stack.js';
import type { DemoWorkspace, StackFile } from '../local/stack-file.js';
import {
  giveSignIns,
  giveWorkerSignIn,
  mintFinance,
  runWorkspacesCommand,
  withFinance,
  withMcpTokens,
  withSecondFactor,
  type DemoSystem,
} from './operator.js';
import { accessTo, type GraphqlAccess } from './graphql-client.js';
import { newKey, newMember } from './people.js';
import { seedFirstWorkspace, seedSecondWorkspace } from './seed-work.js';

interface DemoBusiness {
  name: string;
  country: string;
  domain: string;
  /** The worker who signs in too, by the name before `@`. */
  worker: string;
  /** The member who has a second factor. */
  guarded?: Role;
  seedWork: (access: GraphqlAccess, domain: string) => Promise<void>;
}

const BUSINESSES: readonly DemoBusiness[] = [
  {
    name: 'Northwind Studio',
    country: 'DE',
    domain: 'northwind.example',
    worker: 'mila.moreau',
    seedWork: seedFirstWorkspace,
  },
  {
    name: 'Harbor Labs',
    country: 'US',
    domain: 'harbor.example',
    worker: 'sam.silva',
    guarded: 'viewer',
    seedWork: seedSecondWorkspace,
  },
];

const NAMES: Readonly<Record<Role, string>> = { admin: 'Ada Admin', member: 'Max Member', viewer: 'Vera Viewer' };

const WITHOUT_WORK = BUSINESSES.map((business) => ({ ...business, seedWork: () => Promise.resolve() }));

/** Two workspaces with people, keys, contracts, work and money, created by the same commands as real ones. */
export async function seedDemo(system: DemoSystem): Promise<DemoFacts> {
  return await withMcpTokens(system, await seed(system, BUSINESSES));
}

/** The same two with people and keys only. */
export async function seedPeople(system: DemoSystem): Promise<DemoFacts> {
  return await seed(system, WITHOUT_WORK);
}

export async function seedPeopleAndAssistants(system: DemoSystem): Promise<DemoFacts> {
  return await withMcpTokens(system, await seedPeople(system));
}

/** Two more, with people and keys only, in a system that has been seeded. */
export async function addWorkspaces(system: DemoSystem): Promise<readonly DemoWorkspace[]> {
  return await makeWorkspaces(system, system.file.graphql, WITHOUT_WORK);
}

async function seed(system: DemoSystem, businesses: readonly DemoBusiness[]): Promise<DemoFacts> {
  // The secrets are stored beside the data: they are shown once, and the next start needs them.
  const file = join(system.dir, 'demo.json');
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as DemoFacts) : null;
  const isThere = kept !== null && (await stillThere(system, kept));
  const facts = await withUsers(system, isThere ? await withFinance(system, kept) : await make(system, businesses));
  await writeFile(file, JSON.stringify(facts, null, 2), { mode: 0o600 });
  return facts;
}

async function make(system: DemoSystem, businesses: readonly DemoBusiness[]): Promise<DemoFacts> {
  const service = ['create-token', '--name', 'local', '--team', 'service', '--days', '365'];
  const [graphqlToken, financeTokens] = await Promise.all([runWorkspacesCommand(system, service), mintFinance(system)]);
  const graphql = { url: system.file.graphql.url, token: graphqlToken, finance: financeTokens };
  return { graphqlToken, financeTokens, workspaces: await makeWorkspaces(system, graphql, businesses) };
}

/** Data seeded before people could sign in lacks only their passwords. */
async function withUsers(system: DemoSystem, facts: DemoFacts): Promise<DemoFacts> {
  const workspaces = facts.workspaces.map(async (workspace) => {
    const { domain, worker, guarded } = BUSINESSES.find(({ name }) => name === workspace.name) ?? {};
    if (workspace.users !== undefined || domain === undefined) return workspace;
    const { graphqlToken: token, financeTokens: finance } = facts;
    const access = accessTo({ url: system.file.graphql.url, token, finance }, workspace.id);
    const [members, workers] = await Promise.all([
      giveSignIns(system, domain),
      giveWorkerSignIn(system, access, `${worker}@${domain}`),
    ]);
    const people = members.map(async (user) => (user.role === guarded ? await withSecondFactor(system, user) : user));
    return { ...workspace, users: [...(await Promise.all(people)), ...workers] };
  });
  return { ...facts, workspaces: await Promise.all(workspaces) };
}

async function stillThere(system: DemoSystem, { workspaces }: DemoFacts): Promise<boolean> {
  const key = workspaces[0]?.apiKeys.viewer;
  if (!key) return false;
  const answer = await fetch(`${system.file.rest.url}/business`, { headers: { authorization: `Bearer ${key}` } });
  return answer.status === 200;
}

async function makeWorkspaces(
  system: DemoSystem,
  graphql: StackFile['graphql'],
  businesses: readonly DemoBusiness[],
): Promise<DemoWorkspace[]> {
  return await Promise.all(businesses.map((business) => makeWorkspace(system, graphql, business)));
}

async function makeWorkspace(
  system: DemoSystem,
  graphql: StackFile['graphql'],
  { name, country, domain, seedWork }: DemoBusiness,
): Promise<DemoWorkspace> {
  const made = await runWorkspacesCommand(system, [
    ...['create-workspace', '--name', name, '--country', country, '--kyb', 'verified'],
    ...['--admin-name', NAMES.admin, '--admin-email', `admin@${domain}`],
  ]);
  const { workspaceId, membershipId } = JSON.parse(made) as { workspaceId: string; membershipId: string };
  const access = accessTo(graphql, workspaceId);
  const apiKeys = { admin: '', member: '', viewer: '' };
  for (const role of ROLES) {
    const memberId = role === 'admin' ? membershipId : await newMember(access, role, `${role}@${domain}`, NAMES[role]);
    const key = await newKey(access, memberId, { name: `Demo ${role}`, scopes: ROLE_SCOPES[role] });
    apiKeys[role] = key.secret;
  }
  await seedWork(access, domain);
  return { id: workspaceId, name, apiKeys };
}
