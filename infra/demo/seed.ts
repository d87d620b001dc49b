import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DemoFacts, DemoWorkspace, Stack } from '../local/stack.js';
import { ask, type GraphqlAccess } from './graphql-client.js';
import { ACTIVATION, ASSIGN_WORKER, CREATE_DRAFT, REGISTER_WORKER, SUBMIT_TIMESHEET } from './operations.js';
import { runWorkspacesCommand } from './operator.js';

const BUSINESSES = [
  { name: 'Northwind Studio', country: 'DE', currency: 'EUR', domain: 'northwind.example' },
  { name: 'Harbor Labs', country: 'US', currency: 'USD', domain: 'harbor.example' },
] as const;

const ROLES = ['admin', 'member', 'viewer'] as const;
const SCOPES = {
  admin: ['read', 'contracts:write', 'timesheets:write', 'milestones:write'],
  member: ['read', 'contracts:write'],
  viewer: ['read'],
} as const;
const YEAR_MS = 365 * 86_400_000;

/** Two workspaces with people, keys, contracts and submitted work, made by the commands that real ones are made by. */
export async function seedDemo(stack: Stack): Promise<DemoFacts> {
  // The secrets are kept beside the data: they are shown once, and the next start must know them.
  const kept = join(stack.dir, 'demo.json');
  if (existsSync(kept)) {
    const facts = JSON.parse(readFileSync(kept, 'utf8')) as DemoFacts;
    if (await stillThere(stack, facts)) return facts;
  }
  const graphqlToken = await runWorkspacesCommand(
    stack,
    'create-token',
    '--name',
    'local',
    '--team',
    'service',
    '--days',
    '365',
  );
  const workspaces: DemoWorkspace[] = [];
  for (const business of BUSINESSES) workspaces.push(await seedWorkspace(stack, graphqlToken, business));
  const facts: DemoFacts = { graphqlToken, workspaces };
  writeFileSync(kept, JSON.stringify(facts, null, 2), { mode: 0o600 });
  return facts;
}

async function stillThere(stack: Stack, { workspaces }: DemoFacts): Promise<boolean> {
  const key = workspaces[0]?.apiKeys.viewer;
  if (!key) return false;
  const answer = await fetch(`${stack.file.rest.url}/business`, { headers: { authorization: `Bearer ${key}` } });
  return answer.status === 200;
}

async function seedWorkspace(
  stack: Stack,
  token: string,
  business: (typeof BUSINESSES)[number],
): Promise<DemoWorkspace> {
  const { name, country, domain } = business;
  const made = await runWorkspacesCommand(
    stack,
    ...['create-workspace', '--name', name, '--country', country, '--kyb', 'verified'],
    ...['--admin-name', 'Ada Admin', '--admin-email', `admin@${domain}`],
  );
  const { workspaceId, membershipId } = JSON.parse(made) as { workspaceId: string; membershipId: string };
  const access: GraphqlAccess = { url: stack.file.graphql.url, token, workspaceId };
  const apiKeys = { admin: '', member: '', viewer: '' };
  for (const role of ROLES) {
    const memberId = role === 'admin' ? membershipId : await addMember(access, role, domain);
    apiKeys[role] = await createKey(access, memberId, role);
  }
  await seedWork(access, business);
  return { id: workspaceId, name, apiKeys };
}

async function addMember(access: GraphqlAccess, role: string, domain: string): Promise<string> {
  const member = await ask<{ id: string }>(
    access,
    'mutation ($name: String!, $email: String!, $role: Role!) { addMember(name: $name, email: $email, role: $role) { id } }',
    { name: role === 'member' ? 'Max Member' : 'Vera Viewer', email: `${role}@${domain}`, role },
  );
  return member.id;
}

async function createKey(access: GraphqlAccess, memberId: string, role: (typeof ROLES)[number]): Promise<string> {
  const expiresAt = new Date(Date.now() + YEAR_MS).toISOString();
  const { secret } = await ask<{ secret: string }>(
    access,
    'mutation ($input: ApiKeyInput!) { createApiKey(input: $input) { secret } }',
    { input: { memberId, name: `Demo ${role}`, scopes: SCOPES[role], expiresAt } },
  );
  return secret;
}

/** An active contract with two weeks of submitted work, and a draft that waits to be completed. */
async function seedWork(access: GraphqlAccess, { currency, domain }: (typeof BUSINESSES)[number]): Promise<void> {
  const worker = await ask<{ id: string }>(access, REGISTER_WORKER, { name: 'Wanda Worker', email: `wanda@${domain}` });
  const contract = await ask<{ id: string }>(access, CREATE_DRAFT, {
    input: {
      title: 'Backend engineering',
      contractType: 'contractor_payg',
      startDate: '2027-01-01',
      compensation: { type: 'hourly', currency, rate: '85.50' },
      invoicingSettings: { paymentDueDays: 14 },
    },
  });
  await ask(access, ASSIGN_WORKER, { id: contract.id, workerId: worker.id });
  for (const step of ACTIVATION) await ask(access, step, { id: contract.id });
  for (const [periodStart, periodEnd, unitsWorked] of [
    ['2027-01-04', '2027-01-10', '38.5'],
    ['2027-01-11', '2027-01-17', '40'],
  ]) {
    await ask(access, SUBMIT_TIMESHEET, { input: { contractId: contract.id, periodStart, periodEnd, unitsWorked } });
  }
  await ask(access, CREATE_DRAFT, { input: { title: 'Brand redesign', contractType: 'contractor_milestone' } });
}
