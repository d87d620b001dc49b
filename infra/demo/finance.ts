import type { DemoFacts, FinanceTokens } from '../local/stack.js';
import { sendGraphql } from './graphql-client.js';
import { type DemoSystem, runWorkspacesCommand } from './operator.js';

const OWNERS = ['--owner', 'fay@payroll.example', '--owner', 'finn@payroll.example'];

/** Money needs two people: their tokens. */
export async function mintFinance(system: DemoSystem): Promise<FinanceTokens> {
  const printed = await runWorkspacesCommand(system, ['create-token', '--team', 'finance', '--days', '90', ...OWNERS]);
  const [first, second] = printed.split('\n');
  if (!first || !second) throw new Error('create-token printed no two tokens');
  return [first, second];
}

/** Tokens of people end sooner than the data of a demo, and older data came without. */
export async function withFinance(system: DemoSystem, facts: DemoFacts): Promise<DemoFacts> {
  const [token = ''] = facts.financeTokens ?? [];
  const access = { url: system.file.graphql.url, token, workspaceId: facts.workspaces[0]!.id };
  const { data } = await sendGraphql(access, '{ business { id } }');
  return data ? facts : { ...facts, financeTokens: await mintFinance(system) };
}
