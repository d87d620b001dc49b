import { supergraph } from '@payroll/gateway';
import { newId, SCOPES, TEAMS, type Actor, type Role, type Team } from '@payroll/kernel';
import { FieldPermissions } from '@payroll/service';
import {
  buildASTSchema,
  getNamedType,
  isInputObjectType,
  isObjectType,
  parse,
  type ASTNode,
  type ConstDirectiveNode,
  type GraphQLObjectType,
} from 'graphql';
import { describe, expect, it } from 'vitest';

const schema = buildASTSchema(parse(supergraph()), { assumeValid: true });
const permissions = new FieldPermissions(schema);

interface Step {
  type: GraphQLObjectType;
  field: string;
}

/** Every field of the composed graph, by one shortest path from a root. */
function everyField(): Step[][] {
  const found: Step[][] = [];
  const queue = [schema.getQueryType()!, schema.getMutationType()!].map((type) => ({ type, way: [] as Step[] }));
  const seen = new Set(queue.map(({ type }) => type));
  for (const { type, way } of queue) {
    for (const [field, { type: fieldType }] of Object.entries(type.getFields())) {
      const here = [...way, { type, field }];
      found.push(here);
      const below = getNamedType(fieldType);
      if (!isObjectType(below) || seen.has(below)) continue;
      seen.add(below);
      queue.push({ type: below, way: here });
    }
  }
  return found;
}

/** Read from the text of the graph, not by the code under test. */
function listOf({ type, field }: Step, listing: 'teams' | 'people' = 'teams'): readonly string[] {
  return listOn(type.getFields()[field]!.astNode, listing) ?? listOn(type.astNode, listing) ?? [];
}

function listOn(node: (ASTNode & { directives?: readonly ConstDirectiveNode[] }) | null | undefined, listing: string) {
  const directive = node?.directives?.find(({ name }) => name.value === listing);
  const value = directive?.arguments?.[0]?.value;
  return value?.kind === 'ListValue'
    ? value.values.map((each) => ('value' in each ? String(each.value) : ''))
    : undefined;
}

function queryOf(way: readonly Step[]): string {
  const [{ type }] = way as [Step];
  const keyword = type === schema.getMutationType() ? 'mutation' : 'query';
  return keyword + way.reduceRight((inner, { field }) => `{ ${field} ${inner} }`, '');
}

function actorOf(team: Team): Actor {
  const rights = { principalId: newId(), workspaceId: newId(), role: null, scopes: SCOPES };
  return team === 'service'
    ? { ...rights, kind: 'service' }
    : { ...rights, kind: 'staff', team, person: 'olga@example.com' };
}

function mayRun(actor: Actor, way: readonly Step[]): boolean {
  try {
    permissions.require(actor, parse(queryOf(way)));
    return true;
  } catch {
    return false;
  }
}

/** Fields, arguments and inputs without a description, except those that composition adds. */
function undescribed(): string[] {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !/^(?:__|join__|link__)/.test(name));
  return types.flatMap((type) => {
    if (!isObjectType(type) && !isInputObjectType(type)) return [];
    return Object.values<DescribedField>(type.getFields()).flatMap(({ name, description, args = [] }) => [
      ...(description ? [] : [`${type.name}.${name}`]),
      ...args.filter((arg) => !arg.description).map((arg) => `${type.name}.${name}(${arg.name})`),
    ]);
  });
}

interface DescribedField {
  name: string;
  description?: string | null | undefined;
  args?: readonly { name: string; description?: string | null | undefined }[];
}

const fields = everyField();
const nameOf = (way: readonly Step[]): string => `${way.at(-1)!.type.name}.${way.at(-1)!.field}`;

describe('the composed graph', () => {
  it('describes every field, argument and input', () => {
    expect(undescribed()).toEqual([]);
  });

  it('covers every field by a list, and names only existing teams', () => {
    expect(fields.length).toBeGreaterThan(300);
    const isCovered = (step: Step): boolean => listOf(step).length + listOf(step, 'people').length > 0;
    expect(fields.filter((way) => !isCovered(way.at(-1)!)).map(nameOf)).toEqual([]);
    const named = new Set(fields.flatMap((way) => listOf(way.at(-1)!)));
    expect([...named].filter((team) => !TEAMS.some((each) => each === team))).toEqual([]);
  });

  it.each(TEAMS)('denies %s every field that its lists do not name, including on the path to a field', (team) => {
    for (const way of fields) {
      const isListed = way.every((step) => listOf(step).includes(team));
      expect(`${nameOf(way)} ${mayRun(actorOf(team), way)}`).toBe(`${nameOf(way)} ${isListed}`);
    }
  });
});

it('an unlisted kind of actor reaches no field', () => {
  const rights = { principalId: newId(), workspaceId: newId(), role: 'admin', scopes: SCOPES };
  const planted = { ...rights, kind: 'robot' } as unknown as Actor;
  expect(fields.filter((way) => mayRun(planted, way)).map(nameOf)).toEqual([]);
});

/** Paths below queries. Commands decide who may change data (tests/commands/who-may.txt). */
const reads = fields.filter(([first]) => first!.type === schema.getQueryType());

const FOR_ALL = [
  ...['contract', 'contracts', 'worker', 'workers', 'contractsActivity'],
  ...['payee', 'payees', 'payment', 'payments', 'balances', 'sandboxDaysAhead', 'upcoming', 'fundingReference'],
  ...['paymentsActivity', 'milestone', 'milestones', 'reviewQueue', 'reviewQueueCount', 'timesheet', 'timesheets'],
  ...['reviewActivity', 'business', 'mcpConnections', 'installation', 'workspacesActivity'],
];
/** Management of a workspace. */
const FOR_ADMINS = [
  'workerAccess',
  'members',
  'member',
  'apiKeys',
  'apiKey',
  'invitations',
  'mcpClients',
  'membersWithoutSecondFactor',
];

describe.each(['admin', 'member', 'viewer'] as const)('people who are %s', (role: Role) => {
  const rights = { principalId: newId(), workspaceId: newId(), scopes: SCOPES, sessionId: newId() };
  const reading = reads.filter((way) =>
    mayRun({ ...rights, hasRecentPassword: false, kind: 'person', person: 'ada@example.com', role }, way),
  );

  it('can read exactly the fields whose lists name their role, including on the path to a field', () => {
    const listed = reads.filter((way) => way.every((step) => listOf(step, 'people').includes(role)));
    expect(reading.map(nameOf)).toEqual(listed.map(nameOf));
  });

  it('can read these queries', () => {
    const more = {
      admin: ['workPreview', 'workTerms', ...FOR_ADMINS],
      member: ['workPreview', 'workTerms'],
      viewer: [],
    }[role];
    const names = [...FOR_ALL, ...more].map((name) => `Query.${name}`);
    expect(
      reading
        .filter(({ length }) => length === 1)
        .map(nameOf)
        .toSorted(),
    ).toEqual(names.toSorted());
  });

  it('can read no secret, no ledger, no staff and no payout destination', () => {
    const seen = reading.map(nameOf).join('\n');
    expect(seen).not.toMatch(/ledger|instruction|audit|token|secret|destination(?!Ending)|providerReference/i);
    for (const managed of ['Payee.destinationEnding', 'ApiKey.name', 'Member.email', 'IntegrationSwitches']) {
      expect([managed, seen.includes(managed)]).toEqual([managed, role === 'admin']);
    }
  });
});

describe('a worker', () => {
  const rights = { principalId: newId(), workspaceId: newId(), role: null, scopes: [], sessionId: newId() };
  const wanda: Actor = {
    ...{ ...rights, kind: 'worker', workerId: newId(), person: 'wanda@example.com', hasRecentPassword: true },
  };
  const own = fields.filter((way) => mayRun(wanda, way));

  it('can run exactly these queries and mutations', () => {
    const roots = own.filter(({ length }) => length === 1).map(nameOf);
    expect(roots.toSorted()).toEqual([
      ...['Mutation.askForContractChanges', 'Mutation.correctMyTimesheet', 'Mutation.enterMyPayee'],
      'Mutation.keepTypedForm',
      ...['Mutation.leaveAsWorker', 'Mutation.saveMyTimesheetDraft', 'Mutation.signMyAmendment'],
      ...['Mutation.signMyContract'],
      ...['Mutation.submitMyMilestone', 'Mutation.submitMyTimesheet', 'Mutation.takeTypedForm'],
      ...['Query.myContract', 'Query.myContracts', 'Query.myMilestone', 'Query.myMilestones'],
      ...['Query.myPayee', 'Query.myPayment', 'Query.myPayments', 'Query.myTimesheet'],
      ...[
        'Query.myTimesheetDraft',
        'Query.myTimesheetDrafts',
        'Query.myTimesheets',
        'Query.myWork',
        'Query.myWorkPreview',
        'Query.myWorkTerms',
      ],
    ]);
  });

  it('reads types of their own, which no other type or service reaches by an id, and plain values', () => {
    const types = Object.values(schema.getTypeMap()).filter((type) =>
      listOn(type.astNode, 'people')?.includes('worker'),
    );
    const isOwn = ({ astNode }: (typeof types)[number]): boolean =>
      listOn(astNode, 'people')?.join() === 'worker' && listOn(astNode, 'teams') === undefined;
    const shared = types.filter((type) => !isOwn(type)).map(({ name }) => name);
    expect(shared.toSorted()).toEqual(['Money', 'TimesheetEntry', 'WorkPreview', 'WorkTerms']);
    expect(types.filter(isOwn).map(({ name }) => name)).toEqual(expect.arrayContaining(['MyContract', 'MyTimesheet']));
    for (const { name, astNode } of types) {
      expect([name, astNode?.directives?.filter((each) => /"key"/.test(JSON.stringify(each.arguments)))]).toEqual([
        name,
        [],
      ]);
    }
  });
});

/** The mutations of each team are few enough to list here, so that every change of them shows in a review. */
const mutationsOf = (team: Team): string[] =>
  fields
    .filter(([first, ...more]) => more.length === 0 && first!.type === schema.getMutationType())
    .filter((way) => mayRun(actorOf(team), way))
    .map(([step]) => step!.field);

it('read_only may change nothing; support may only end access', () => {
  expect(mutationsOf('read_only')).toEqual([]);
  expect(mutationsOf('support').toSorted()).toEqual([
    'disableMcpClient',
    'revokeApiKey',
    'revokeInvitation',
    'revokeMcpConnection',
  ]);
});

it('only people of finance may order to move money, and not the application', () => {
  const orders = [
    'requestFunding',
    'requestPayout',
    'requestRetry',
    'countersignInstruction',
    'declineInstruction',
    'withdrawInstruction',
  ];
  expect(mutationsOf('finance')).toEqual(expect.arrayContaining(orders));
  for (const team of TEAMS.filter((each) => each !== 'finance')) {
    expect(mutationsOf(team).filter((name) => orders.includes(name))).toEqual([]);
  }
});
