import type { FastifyReply, FastifyRequest } from 'fastify';
import type { VNode } from 'preact';
import type { SessionSummary, SignedIn } from '../../accounts/sessions.js';
import { Cookies } from '../cookies.js';
import { Button, Form } from '../forms.js';
import { leaveNotice } from '../notice.js';
import { Cell, Head, LinkButton, Tag } from '../pieces.js';
import { sendPage } from '../send-page.js';
import { Time } from '../time.js';
import { describeBrowser } from '../user-agent.js';
import { requireSignIn } from '../visitor.js';
import type { Routes, Web } from '../web.js';

export const accountPage: Routes = (web) => (app) => {
  const cookies = new Cookies(web.settings.origin);

  app.get('/account', async (request, reply) => await sendAccount(web, request, reply));

  app.post('/account/sign-out-everywhere', async (request, reply) => {
    const { account } = await requireSignIn(web, request);
    await web.sessions.endAll(account.id);
    cookies.clear(reply, 'session');
    leaveNotice(cookies, reply, 'You are signed out everywhere.');
    return await reply.redirect('/sign-in', 303);
  });
  return Promise.resolve();
};

async function sendAccount(web: Web, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const visitor = await requireSignIn(web, request);
  const sessions = await web.sessions.list(visitor.account.id);
  const body = (
    <>
      <dl class="facts">
        <dt>Name</dt>
        <dd>{visitor.account.name}</dd>
        <dt>E-mail address</dt>
        <dd>{visitor.account.email}</dd>
      </dl>
      <h2>Password</h2>
      <p>A new password signs you out everywhere else.</p>
      <LinkButton href="/account/password">Change the password</LinkButton>
      <h2>Where you are signed in</h2>
      <SessionTable sessions={sessions} visitor={visitor} />
      <Form action="/account/sign-out-everywhere">
        <Button look="danger">Sign out everywhere</Button>
      </Form>
    </>
  );
  return await sendPage(web, request, reply, { title: 'Your account', body });
}

function SessionTable({ sessions, visitor }: { sessions: readonly SessionSummary[]; visitor: SignedIn }): VNode {
  return (
    <table>
      <caption class="hidden">Browsers in which you are signed in</caption>
      <Head columns={['Browser', 'Signed in', 'Last seen']} />
      <tbody>
        {sessions.map(({ id, userAgent, createdAt, lastSeenAt }) => (
          <tr key={id}>
            <th scope="row">
              {describeBrowser(userAgent)} {id === visitor.sessionId && <Tag>this one</Tag>}
            </th>
            <Cell label="Signed in">
              <Time at={createdAt} />
            </Cell>
            <Cell label="Last seen">
              <Time at={lastSeenAt} />
            </Cell>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
