import { newId, type Origin, type PersonActor, type Role } from '@payroll/kernel';
import { afterAll, expect, it } from 'vitest';
import { PASSWORD, Site, type Person } from './site.js';
import { apiKey } from '../support.js';

const site = await Site.open('workspaces_typed_forms');
const place = await site.workspaces.provision();
const path = `/workspaces/${place.workspaceId}/contracts/${newId()}/edit`;
afterAll(() => site[Symbol.asyncDispose]());

function originOf(
  { membershipId: principalId, sessionId }: Pick<Person, 'membershipId' | 'sessionId'>,
  role: Role = 'viewer',
): Origin {
  const own = {
    kind: 'person',
    person: 'ada@example.com',
    role,
    scopes: ['read'],
    hasRecentPassword: false,
  } as const;
  const actor: PersonActor = { ...own, principalId, sessionId, workspaceId: place.workspaceId };
  return { actor, via: 'web', requestId: newId() };
}

const keep = (origin: Origin, draft: object) =>
  site.workspaces.graphql(origin, 'mutation ($draft: String!) { keepTypedForm(draft: $draft) }', {
    draft: JSON.stringify(draft),
  });
const take = (origin: Origin, from = path) =>
  site.workspaces.graphql(origin, 'mutation ($path: String!) { takeTypedForm(path: $path) }', { path: from });

it('a saved form is returned once, to its own session and page', async () => {
  const [one, other] = await Promise.all([site.person(place, 'viewer'), site.person(place, 'viewer')]);
  const fields = { title: 'A “title”', rows: ['1', '2'] };
  expect((await keep(originOf(one), { path, fields })).data).toEqual({ keepTypedForm: true });
  expect((await take(originOf(other))).data).toEqual({ takeTypedForm: null });
  expect((await take(originOf(one), `${path}/other`)).data).toEqual({ takeTypedForm: null });
  const { data } = await take(originOf(one));
  expect(JSON.parse(data!['takeTypedForm'] as string)).toEqual(fields);
  expect((await take(originOf(one))).data).toEqual({ takeTypedForm: null });
});

it.each([
  String.raw`mutation { takeTypedForm(path: "/\u0000") }`,
  String.raw`mutation { disableMcpClient(id: "\u0000") { id } }`,
])('%s is an invalid request: Postgres holds no such text', async (query) => {
  const admin = await site.person(place, 'admin');
  const { errors } = await site.workspaces.graphql(originOf(admin, 'admin'), query);
  expect(errors).toMatchObject([{ extensions: { code: 'INVALID_REQUEST' } }]);
});

it('a form saved in the sign-in page is available to the pages of other processes', async () => {
  const { email } = await site.person(place, 'viewer');
  const browser = site.browser();
  const form = await browser.get('/sign-in');
  const draft = JSON.stringify({ path, fields: { title: 'Typed' } });
  const answer = await browser.submit(form, '/sign-in', { email, password: 'plum gravel teapot nine', draft });
  expect(answer.location).toBe(path);
  const [session] = await site.workspaces.em.execute<{ id: string }[]>(
    `select id from workspaces.session where draft->>'path' = ?`,
    [path],
  );
  const { data } = await take(originOf({ membershipId: newId(), sessionId: session!.id }));
  expect(data).toEqual({ takeTypedForm: '{"title":"Typed"}' });
});

it('a form saved in the sign-in page stays there when too many passwords were wrong', async () => {
  const { email } = await site.person(place, 'viewer');
  const draft = JSON.stringify({ path, fields: { title: 'Typed "title"' } });
  const [browser, fields] = [site.browser(), { email, draft, password: 'wrong' }];
  let page = await browser.get('/sign-in');
  while (page.status !== 429) page = await browser.submit(page, '/sign-in', fields);
  await site.workspaces.em.execute('delete from workspaces.sign_in_counter');
  const answer = await browser.submit(page, '/sign-in', { email, password: PASSWORD });
  expect(answer.location).toBe(path);
});

it('choices of mail that were sent after the session ended are back after the sign-in', async () => {
  const { browser, email, sessionId } = await site.person(place, 'admin');
  const [form, field] = [await browser.get('/account/mail'), `work-${place.workspaceId}`];
  await site.workspaces.em.execute('delete from workspaces.session where id = ?', [sessionId]);
  const signIn = await browser.submit(form, '/account/mail', { [field]: 'daily' });
  expect(signIn.text).toContain('what you typed will be back');
  const { location } = await browser.submit(signIn, '/sign-in', { email, password: PASSWORD });
  const chosen = async (): Promise<string | undefined> => {
    const { html } = await browser.get(location!);
    return /<option ([^>]*selected[^>]*)>/.exec(html.slice(html.indexOf(`name="${field}"`)))?.[1];
  };
  expect(await chosen()).toContain('daily');
  expect(await chosen()).toContain('at_once');
});

it('a form of another site is not saved', async () => {
  const person = originOf(await site.person(place, 'viewer'));
  for (const draft of [{ path: 'https://evil.example/', fields: {} }, { path }, { fields: {} }]) {
    expect((await keep(person, draft)).data).toEqual({ keepTypedForm: false });
  }
});

it('keys, staff and people who are not signed in have no saved forms', async () => {
  const unsigned = originOf({ membershipId: newId(), sessionId: newId() });
  const nobody = { ...unsigned, actor: { ...unsigned.actor, sessionId: null } as PersonActor };
  for (const origin of [apiKey(place.workspaceId), place.origin, place.application, nobody]) {
    const answers = [await keep(origin, { path, fields: {} }), await take(origin)];
    expect(answers.map(({ errors }) => errors?.[0]?.extensions.code)).toEqual([
      'INSUFFICIENT_SCOPE',
      'INSUFFICIENT_SCOPE',
    ]);
  }
});
