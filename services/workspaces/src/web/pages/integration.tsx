import { notFound, type KybStatus } from '@payroll/kernel';
import { keyOf } from '@payroll/subgraph';
import type { VNode } from 'preact';
import { setIntegrationSwitches } from '../../commands/business.js';
import type { Business, IntegrationSwitches } from '../../domain/workspace.js';
import { businessesById } from '../../queries/businesses-by-id.js';
import { Cookies } from '../cookies.js';
import { listOf, type SentForm } from '../form-values.js';
import { Button, Choices, Form } from '../forms.js';
import { roomPath } from '../layout.js';
import { leaveNotice } from '../notice.js';
import { Tag } from '../pieces.js';
import { typedBefore } from '../read-draft.js';
import { sendPage } from '../send-page.js';
import { visitAsAdmin } from '../visit.js';
import type { Routes, Web } from '../web.js';

const KYB_MEANINGS: Readonly<Record<KybStatus, string>> = {
  not_started: 'Verification has not started. Payouts have to wait for it.',
  pending: 'The business is being verified. Payouts have to wait for it.',
  verified: 'The business is verified; payouts can be made.',
  rejected: 'The business could not be verified, so no payouts are made. Contact support.',
};

export const integrationPage: Routes = (web) => (app) => {
  app.get('/workspaces/:workspaceId/integration', async (request, reply) => {
    const { place } = await visitAsAdmin(web, request, 'integration');
    const typed = await typedBefore(web, request);
    const business = { ...(await findBusiness(web, place.workspaceId)), ...(typed && readSwitches(typed)) };
    const body = (
      <>
        <Addresses web={web} />
        <Switches business={business} />
        <h2>Verification of the business</h2>
        <p>
          <Tag look={business.kybStatus === 'verified' ? 'good' : 'bad'}>{business.kybStatus.replace('_', ' ')}</Tag>
        </p>
        <p>{KYB_MEANINGS[business.kybStatus]}</p>
      </>
    );
    return await sendPage(web, request, reply, { title: 'Integration', place, body });
  });

  app.post('/workspaces/:workspaceId/integration', async (request, reply) => {
    const { place, origin } = await visitAsAdmin(web, request, 'integration');
    await web.commands.run(setIntegrationSwitches, readSwitches(request), origin);
    leaveNotice(new Cookies(web.settings.origin), reply, 'Your settings are saved and apply from the next request.');
    return await reply.redirect(roomPath(place.workspaceId, 'integration'), 303);
  });
  return Promise.resolve();
};

async function findBusiness({ em }: Web, workspaceId: string): Promise<Business> {
  const key = { workspaceId, id: workspaceId };
  const business = (await businessesById(em)([key])).get(keyOf(key));
  if (!business) throw notFound('The business');
  return business;
}

function readSwitches(form: SentForm): IntegrationSwitches {
  const on = listOf(form, 'switches');
  return { integrationEnabled: on.includes('integration'), writesEnabled: on.includes('writes') };
}

function Addresses({ web: { settings } }: { web: Web }): VNode {
  return (
    <>
      <h2>Addresses</h2>
      <dl class="facts">
        <dt>REST API</dt>
        <dd>
          <code>{settings.restUrl}</code>
          <p class="hint">
            For programs, with an API key. Read the <a href={`${settings.restUrl}/docs`}>reference</a>, or give your
            tools the <a href={`${settings.restUrl}/openapi.json`}>OpenAPI document</a>.
          </p>
        </dd>
        <dt>MCP server</dt>
        <dd>{settings.mcpUrl === null ? 'This deployment has none.' : <McpServer url={settings.mcpUrl} />}</dd>
      </dl>
    </>
  );
}

function McpServer({ url }: { url: string }): VNode {
  return (
    <>
      <code>{url}</code>
      <p class="hint">
        For assistants: enter this address in the assistant, which then asks you to sign in. The{' '}
        <a href={new URL('/', url).href}>guide</a> says how, for each of them.
      </p>
    </>
  );
}

function Switches({ business: { id, integrationEnabled, writesEnabled } }: { business: Business }): VNode {
  const choices = [
    {
      value: 'integration',
      label: 'The API and the MCP server answer',
      hint: 'Off: every key and connection of this workspace is refused.',
      isChosen: integrationEnabled,
    },
    {
      value: 'writes',
      label: 'They may make changes',
      hint: 'Off: everything can be read, but nothing can be drafted, approved or rejected.',
      isChosen: writesEnabled,
    },
  ];
  return (
    <>
      <h2>Switches</h2>
      <Form action={roomPath(id, 'integration')}>
        <Choices
          name="switches"
          legend="For every key and connection"
          type="checkbox"
          choices={choices}
          problems={[]}
        />
        <Button>Save changes</Button>
      </Form>
    </>
  );
}
