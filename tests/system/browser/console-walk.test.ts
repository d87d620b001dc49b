import { notFound, type Role } from '@payroll/kernel';
import { TOKEN_FIELD } from '@payroll/pages';
import { describe, expect, it } from 'vitest';
import { pagesOf, sections } from '../../../console/src/sections.js';
import { Browser, type Page } from '../../../services/workspaces/test/pages/browser.js';
import { newMember } from '@payroll/tools/demo/people';
import { submittedMilestones } from '../milestones.js';
import { activeContract, joinSystem, submittedTimesheet } from '../support.js';
import { newPeople } from './visitor.js';

const ALL: readonly Role[] = ['admin', 'member', 'viewer'];

/** Actions on a contract that only admins may take. */
const DECISIONS = [
  ...['verify', 'return', 'send', 'sign', 'activate', 'terms', 'end', 'last-day', 'complete', 'cancel', 'delete'],
];

/** The routes of pages with a form: GET and POST. */
function forms(roles: readonly Role[], ...paths: readonly string[]): Record<string, readonly Role[]> {
  return Object.fromEntries(paths.flatMap((path) => [`GET ${path}`, `POST ${path}`].map((route) => [route, roles])));
}

/** The roles allowed on each route below `/workspaces/:workspaceId`; other members get a page that says so. */
const FOR: Readonly<Record<string, readonly Role[]>> = {
  'GET ': ALL,
  'GET /contracts': ALL,
  'GET /contracts/:id': ALL,
  'GET /review': ALL,
  'POST /review/confirm': ['admin'],
  'POST /review/approve': ['admin'],
  'GET /review/timesheet/:id': ALL,
  'POST /review/timesheet/:id/approve': ['admin'],
  'POST /review/timesheet/:id/reject': ['admin'],
  'GET /review/milestone/:id': ALL,
  'POST /review/milestone/:id/approve': ['admin'],
  'POST /review/milestone/:id/reject': ['admin'],
  'GET /contracts/:id/agreement': ALL,
  'GET /contracts/:id/milestones': ALL,
  'GET /contracts/:id/timesheets': ALL,
  ...forms(
    ['admin', 'member'],
    '/contracts/new',
    '/contracts/:id/edit',
    '/contracts/:id/worker',
    '/contracts/:id/submit',
    '/contracts/:id/copy',
    '/contracts/:id/timesheet',
  ),
  ...forms(['admin'], ...DECISIONS.map((act) => `/contracts/:id/${act}`), '/contracts/:id/withdraw-terms'),
  'GET /workers': ALL,
  'GET /workers/:id': ALL,
  ...forms(['admin', 'member'], '/workers/new', '/workers/:id/edit'),
  ...forms(['admin'], '/workers/:id/payout-details', '/workers/:id/invite', '/workers/:id/end-access'),
  'GET /payments': ALL,
  'GET /payments/export.csv': ALL,
  'GET /payments/:id': ALL,
  ...forms(['admin'], '/payments/:id/retry', '/payments/:id/pay'),
  'GET /money': ALL,
  'GET /activity': ALL,
  'GET /sandbox': ['admin'],
  'POST /sandbox/fund': ['admin'],
  'POST /sandbox/verify-business': ['admin'],
  'POST /sandbox/give-payee': ['admin'],
  'POST /sandbox/verify-payee': ['admin'],
  'POST /sandbox/sign': ['admin'],
  'POST /sandbox/timesheet': ['admin'],
  'POST /sandbox/milestone': ['admin'],
  'POST /sandbox/due': ['admin'],
  'POST /sandbox/calendar': ['admin'],
  'POST /sandbox/settle': ['admin'],
  'POST /sandbox/decline': ['admin'],
  'GET /keys': ['admin'],
  ...forms(['admin'], '/keys/new', '/keys/:id/rotate', '/keys/:id/revoke'),
  'GET /members': ['admin'],
  ...forms(
    ['admin'],
    '/members/second-factor',
    '/members/invite',
    '/members/:id',
    '/members/:id/remove',
    '/members/invitations/:id/revoke',
  ),
  ...forms(['admin'], '/integration'),
  'GET /connections': ALL,
  'POST /connections/revoke': ALL,
  'POST /connections/renew': ALL,
  'POST /connections/enable': ['admin'],
  'POST /connections/disable': ['admin'],
  'GET /membership': ALL,
  'GET /search': ALL,
};

const routes = Object.keys(pagesOf(sections)).map((route) => route.replace('/workspaces/:workspaceId', ''));
const cases = routes.map((route) => route.split(' ') as [method: string, path: string]);

/** An id of the first workspace for each parameter. */
const things = new Map<string, string>();
const system = await joinSystem();
const [own] = system.workspaces;
const people = await newPeople(system, own);
const contractId = await activeContract(system.access());
const { id, version } = await submittedTimesheet(system.access(), contractId);
const approved = await system.rest(own.apiKeys.admin, 'POST', `/timesheets/${id}/approve`, {
  expectedVersion: version,
});
const { worker } = await system.graphql<{ worker: { id: string } }>(
  'query ($id: ID!) { contract(id: $id) { worker { id } } }',
  { id: contractId },
);
things.set('/contracts/:id', contractId).set('/workers/:id', worker.id).set('/review/timesheet/:id', id);
const [milestone] = await submittedMilestones(system.access(), 1);
things.set('/review/milestone/:id', milestone!.id);
things.set('/payments/:id', String(approved.body['paymentId']));
await toManage();

/** Creates the subjects of the settings pages; the walk deletes some of them. */
async function toManage(): Promise<void> {
  const ask = <T>(query: string, variables: object = {}) => system.graphql<T>(query, variables);
  const memberId = people.admin.membershipId;
  const input = { memberId, name: 'Walk', scopes: ['read'], expiresAt: '2099-01-01T00:00:00Z' };
  const { apiKey } = await ask<{ apiKey: { id: string } }>(
    'mutation ($input: ApiKeyInput!) { createApiKey(input: $input) { apiKey { id } } }',
    { input },
  );
  const email = () => `${crypto.randomUUID()}@people.example`;
  const { invitation } = await ask<{ invitation: { id: string } }>(
    'mutation ($email: String!) { inviteMember(name: "Walk", email: $email, role: viewer) { invitation { id } } }',
    { email: email() },
  );
  const gone = await newMember(system.access(), 'viewer', email());
  things.set('/keys/:id', apiKey.id).set('/members/:id', gone);
  things.set('/members/invitations/:id', invitation.id);
}

function address(path: string, workspaceId = system.workspaces[0].id): string {
  const thing = [...things].find(([page]) => path.startsWith(page))?.[1];
  if (path.includes(':id') && thing === undefined) throw new Error(`No thing is known for ${path}`);
  return `/workspaces/${workspaceId}${path.replace(':id', thing ?? '')}`;
}

const NO_PAGE = notFound('What this address names').message;

const tokenIn = ({ html }: Page): string => /name="form_token" value="([^"]*)"/.exec(html)?.[1] ?? '';

/** Reads a page, or sends its form with only its token. */
async function ask(browser: Browser, [method, path]: [string, string], workspaceId?: string): Promise<Page> {
  if (method === 'GET') return await browser.get(address(path, workspaceId));
  const token = tokenIn(await browser.get('/account'));
  return await browser.post(address(path, workspaceId), { [TOKEN_FIELD]: token });
}

it('lists exactly the routes that exist', () => {
  expect(routes.toSorted()).toEqual(Object.keys(FOR).toSorted());
});

describe.each(ALL)('a %s', (role) => {
  it.each(cases)('%s %s answers the role, or says that the page is not for it', async (...route) => {
    const { status, text } = await ask(people[role].browser, route);
    if (FOR[route.join(' ')]?.includes(role)) {
      // A form without the id of its subject finds nothing.
      expect(text).not.toContain(NO_PAGE);
      expect([200, 303, 409, 422, ...(route[1].startsWith('/connections/') ? [404] : [])]).toContain(status);
    } else expect([status, text]).toEqual([403, expect.stringContaining(`you are a ${role}`)]);
    if (route[0] === 'GET') expect(status).not.toBe(303);
  });
});

it.each(cases)('%s %s is 404 in another workspace', async (...route) => {
  expect((await ask(people.admin.browser, route, system.workspaces[1].id)).status).toBe(404);
});

it.each(cases)('%s %s sends a signed-out user to sign in, and does nothing', async (...route) => {
  const { status, location, text } = await asLost(route);
  if (route[0] === 'GET') expect([status, location?.split('?')[0]]).toEqual([303, '/sign-in']);
  else expect([status, text]).toEqual([401, expect.stringContaining('so nothing was done')]);
});

let visitors = 0;

/**
 * With the cookie of an ended session, which still passes the forms' guard; from a new address each time, because an
 * address has few attempts.
 */
async function asLost([method, path]: [string, string]): Promise<Page> {
  const origin = system.stack.file.auth!.url;
  const door = new Browser(origin);
  const token = tokenIn(await door.get('/sign-in'));
  const headers = { 'x-forwarded-for': `192.0.2.${++visitors}` };
  const browser = new Browser(`http://127.0.0.1:${system.stack.ports.console}`, headers);
  for (const [name, value] of door.cookies) browser.cookies.set(name, value);
  if (method === 'GET') return await browser.get(address(path));
  return await browser.post(address(path), { [TOKEN_FIELD]: token }, { origin });
}

describe('every form is refused', () => {
  const forms = cases.filter(([method]) => method === 'POST').map(([, path]) => path);

  async function refused(browser: Browser, fields: Record<string, string>, headers: Record<string, string> = {}) {
    expect(forms.length).toBeGreaterThan(0);
    for (const path of forms) {
      const { status, text } = await browser.post(address(path), fields, headers);
      expect([path, status, text]).toEqual([path, 403, expect.stringContaining('did not come from this site')]);
    }
  }

  it('without a token', () => refused(people.admin.browser, {}));

  it('with the token of another browser', async () => {
    await refused(people.admin.browser, { [TOKEN_FIELD]: tokenIn(await people.member.browser.get('/account')) });
  });

  it.each(['https://evil.example', 'null'])('sent from %s', async (origin) => {
    const token = tokenIn(await people.admin.browser.get('/account'));
    await refused(people.admin.browser, { [TOKEN_FIELD]: token }, { origin });
  });
});
