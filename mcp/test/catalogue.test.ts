import { ROLE_SCOPES, type Scope } from '@payroll/kernel';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CONTRACT_ID, MILESTONE_ID, TIMESHEET_ID } from './support/fake-facade.js';
import { startMcpForTest, type McpForTest } from './support/mcp.js';
import { callTool, failureOf, rpc } from './support/modern-host.js';

let mcp: McpForTest;
beforeEach(async () => {
  mcp = await startMcpForTest();
  mcp.login('ada');
});
afterEach(() => mcp[Symbol.asyncDispose]());

const READS = [
  'get_business',
  'list_contracts',
  'get_contract',
  'list_timesheets',
  'get_timesheet',
  'list_milestones',
  'get_milestone',
  'list_payments',
  'get_payment',
  'get_balances',
];
const DECISIONS = ['approve_timesheet', 'reject_timesheet', 'approve_milestone', 'reject_milestone'];
const ALL = [...READS, 'create_contract_draft', ...DECISIONS];

interface Listed {
  name: string;
  title: string;
  description: string;
  inputSchema: {
    required?: string[];
    properties: Record<string, { default?: unknown; type?: unknown; enum?: unknown }>;
  };
  outputSchema: { type: string };
  annotations: Record<string, unknown>;
}

async function listed(scopes: readonly Scope[]): Promise<Listed[]> {
  mcp.login('ada', { scopes });
  const { result } = await rpc(mcp.url, 'ada', 'tools/list');
  return result!['tools'] as Listed[];
}

test.each<[string, readonly Scope[], string[]]>([
  ['admin', ROLE_SCOPES.admin, ALL],
  ['member', ROLE_SCOPES.member, [...READS, 'create_contract_draft']],
  ['viewer', ROLE_SCOPES.viewer, READS],
  ['contracts:write alone', ['contracts:write'], ['create_contract_draft']],
  ['a write scope without read', ['timesheets:write', 'milestones:write'], []],
  ['timesheets only', ['read', 'timesheets:write'], [...READS, 'approve_timesheet', 'reject_timesheet']],
  ['nothing', [], []],
])('the catalogue of %s', async (_who, scopes, names) => {
  expect((await listed(scopes)).map(({ name }) => name)).toEqual(names);
});

test('every tool describes itself to people and to models', async () => {
  for (const tool of await listed(ROLE_SCOPES.admin)) {
    expect(tool.title).not.toBe('');
    expect(tool.description.length).toBeGreaterThan(60);
    expect(tool.outputSchema.type).toBe('object');
    expect(tool.annotations).toEqual({
      title: tool.title,
      readOnlyHint: READS.includes(tool.name),
      destructiveHint: DECISIONS.includes(tool.name),
      idempotentHint: true,
      openWorldHint: false,
    });
  }
});

test('inputs are those of public-api.md §4', async () => {
  const inputs = new Map((await listed(ROLE_SCOPES.admin)).map(({ name, inputSchema }) => [name, inputSchema]));
  const namesOf = (tool: string): string[] => Object.keys(inputs.get(tool)!.properties).toSorted();
  const pages = ['cursor', 'limit'];
  expect(namesOf('get_business')).toEqual([]);
  expect(namesOf('list_contracts')).toEqual(
    [...pages, 'externalReference', 'includeDeleted', 'status', 'updatedSince'].toSorted(),
  );
  expect(namesOf('list_timesheets')).toEqual([...pages, 'contractId', 'status', 'updatedSince'].toSorted());
  expect(namesOf('list_milestones')).toEqual([...pages, 'contractId', 'status'].toSorted());
  expect(namesOf('list_payments')).toEqual([...pages, 'contractId', 'status', 'updatedSince'].toSorted());
  expect(inputs.get('list_milestones')!.required).toEqual(['contractId']);
  expect(inputs.get('list_contracts')!.properties['limit']).toMatchObject({ default: 25, minimum: 1, maximum: 100 });
  expect(inputs.get('list_contracts')!.properties['includeDeleted']).toMatchObject({ enum: ['true', 'false'] });
  expect(inputs.get('create_contract_draft')!.required?.toSorted()).toEqual(['intentId', 'title']);
  expect(namesOf('create_contract_draft')).toEqual([
    'contractType',
    'countryOfEmployment',
    'description',
    'employmentType',
    'endDate',
    'externalReference',
    'intentId',
    'professionalEmail',
    'startDate',
    'title',
  ]);
  for (const tool of DECISIONS) {
    const expected = tool.startsWith('reject') ? ['id', 'intentId', 'reason'] : ['id', 'intentId'];
    expect(namesOf(tool)).toEqual(expected);
    expect(inputs.get(tool)!.required?.toSorted()).toEqual(expected);
  }
});

test.each([
  ['get_business', {}],
  ['list_contracts', { limit: 7, includeDeleted: 'true' }],
  ['get_contract', { id: CONTRACT_ID }],
  ['list_timesheets', { status: 'submitted', contractId: CONTRACT_ID }],
  ['get_timesheet', { id: TIMESHEET_ID }],
  ['list_milestones', { contractId: CONTRACT_ID }],
  ['get_milestone', { id: MILESTONE_ID }],
  ['list_payments', { updatedSince: '2026-01-01T00:00:00Z' }],
  ['get_balances', {}],
])('%s answers with the body of /v1 as text, and the same as data', async (name, given) => {
  const { result } = await callTool(mcp.url, name, given, { token: 'ada' });
  expect(result!.isError).toBeFalsy();
  expect(JSON.parse(result!.content![0]!.text)).toEqual(result!.structuredContent);
});

test.each([
  ['list_contracts', {}, '/v1/contracts?includeDeleted=false&limit=25'],
  ['list_timesheets', { limit: 3 }, '/v1/timesheets?limit=3'],
  ['list_milestones', { contractId: CONTRACT_ID }, `/v1/contracts/${CONTRACT_ID}/milestones?limit=25`],
  [
    'list_contracts',
    { includeDeleted: 'true', cursor: 'a_b' },
    '/v1/contracts?includeDeleted=true&cursor=a_b&limit=25',
  ],
])('%s with %j requests %s', async (name, given, path) => {
  await callTool(mcp.url, name, given, { token: 'ada' });
  const [expected, actual] = [path, mcp.facade.state.lastUrl].map((each) => new URL(each, 'http://v1'));
  expect(actual!.pathname).toBe(expected!.pathname);
  expect(Object.fromEntries(actual!.searchParams)).toEqual(Object.fromEntries(expected!.searchParams));
});

describe('a call that fails', () => {
  test('carries code, status and request id of the API', async () => {
    const answer = await callTool(mcp.url, 'get_payment', { id: TIMESHEET_ID }, { token: 'ada' });
    expect(failureOf(answer)).toEqual({
      code: 'NOT_FOUND',
      status: 404,
      message: expect.any(String),
      requestId: expect.any(String),
    });
  });

  test.each([
    ['get_contract', {}, { path: 'id', code: 'required' }],
    ['get_contract', { id: 'nonsense' }, { path: 'id', code: 'invalid_format' }],
    ['list_contracts', { limit: 101 }, { path: 'limit', code: 'out_of_range' }],
    ['list_contracts', { limit: '7' }, { path: 'limit', code: 'invalid_type' }],
    ['list_contracts', { includeDeleted: true }, { path: 'includeDeleted', code: 'invalid_type' }],
    ['list_contracts', { search: 'x' }, { path: 'search', code: 'unknown_property' }],
    ['approve_timesheet', { id: TIMESHEET_ID, intentId: 'short' }, { path: 'intentId', code: 'too_short' }],
    [
      'approve_timesheet',
      { id: TIMESHEET_ID, intentId: 'with spaces in the middle' },
      { path: 'intentId', code: 'invalid_format' },
    ],
    [
      'reject_timesheet',
      { id: TIMESHEET_ID, intentId: 'intent-0123456789', reason: '  ' },
      { path: 'reason', code: 'too_short' },
    ],
    [
      'create_contract_draft',
      { title: 'x', intentId: 'intent-0123456789', compensation: {} },
      { path: 'compensation', code: 'unknown_property' },
    ],
    [
      'create_contract_draft',
      { title: 'x', intentId: 'intent-0123456789', employmentType: 'employee' },
      { path: 'countryOfEmployment', code: 'required' },
    ],
  ])('%s %j names the invalid argument', async (name, given, detail) => {
    const failure = failureOf(await callTool(mcp.url, name, given, { token: 'ada' }));
    expect(failure.code).toBe('VALIDATION_FAILED');
    expect(failure['details']).toContainEqual(detail);
    expect(mcp.facade.state.requests).toBe(0);
  });

  test('outside the scopes is INSUFFICIENT_SCOPE, as a result', async () => {
    mcp.login('ada', { scopes: ['contracts:write'] });
    const answer = await callTool(mcp.url, 'get_business', {}, { token: 'ada' });
    expect(answer.status).toBe(200);
    expect(failureOf(answer).code).toBe('INSUFFICIENT_SCOPE');
  });

  test('has the body of /v1 as its text, byte for byte', async () => {
    const body = '{"exact": 12345678901234567890.10,\n "text": "two\\nlines \u2028 \\ud83d\\ude00"}';
    mcp.facade.troubles.push({ status: 200, json: body });
    const { result } = await callTool(mcp.url, 'get_business', {}, { token: 'ada' });
    expect(result!.content![0]!.text).toBe(body);
  });

  test('of a tool that does not exist is an error of the protocol', async () => {
    const { error } = await callTool(mcp.url, 'sign_contract', {}, { token: 'ada' });
    expect(error).toMatchObject({ code: -32_602 });
  });

  test('hides an exception behind TOOL_FAILED', async () => {
    // Nothing in the code expects this, so it throws far from where answers are made.
    mcp.login('ada', { workspaceName: undefined as unknown as string });
    const given = { title: 'New', intentId: 'intent-0123456789' };
    expect(failureOf(await callTool(mcp.url, 'create_contract_draft', given, { token: 'ada' }))).toEqual({
      code: 'TOOL_FAILED',
      message: 'Something went wrong on our side. Check the current state before you try again.',
    });
  });
});

describe('the resource and the prompt', () => {
  test('are available to callers who may read', async () => {
    const { result } = await rpc(mcp.url, 'ada', 'resources/read', { uri: 'service://business' });
    expect(JSON.parse((result!['contents'] as { text: string }[])[0]!.text)).toMatchObject({ name: 'Acme' });
    const prompt = await rpc(mcp.url, 'ada', 'prompts/get', { name: 'payroll_review' });
    const [message] = prompt.result!['messages'] as { content: { text: string } }[];
    for (const word of ['Submitted work', 'Amounts', 'Payment dates', 'Automatic payment', 'confirm']) {
      expect(message!.content.text).toContain(word);
    }
    expect(mcp.facade.writes).toEqual([]);
  });

  test('are not available to others', async () => {
    mcp.login('ada', { scopes: ['contracts:write'] });
    expect((await rpc(mcp.url, 'ada', 'resources/list')).result!['resources']).toEqual([]);
    expect((await rpc(mcp.url, 'ada', 'prompts/list')).result!['prompts']).toEqual([]);
    expect((await rpc(mcp.url, 'ada', 'resources/read', { uri: 'service://business' })).error).toBeDefined();
    expect((await rpc(mcp.url, 'ada', 'prompts/get', { name: 'payroll_review' })).error).toBeDefined();
  });
});
