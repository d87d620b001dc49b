import { notFound, type KybStatus } from '@payroll/kernel';
import { Button, Choices, Facts, Form, listOf, Tag } from '@payroll/pages';
import { keyOf } from '@payroll/subgraph';
import type { VNode } from 'preact';
import { setIntegrationSwitches } from '../../commands/business.js';
import type { Business, IntegrationSwitches } from '../../store/views.js';
import { businessesById } from '../../queries/business.js';
import { formPage } from '../routes.js';
import { visitAsAdmin, type Visit } from '../visit.js';
import type { WebSettings } from '../web.js';

const KYB_MEANINGS: Readonly<Record<KybStatus, string>> = {
  not_started: 'Verification has not started. Payouts have to wait for it.',
  pending: 'The business is being verified. Payouts have to wait for it.',
  verified: 'The business is verified; payouts can be made.',
  rejected: 'The business could not be verified, so no payouts are made. Contact support.',
};

const SWITCHES = [
  {
    value: 'integration',
    label: 'The API and the MCP server answer',
    hint: 'Off: every key and connection of this workspace is refused.',
    isOn: ({ integrationEnabled }: IntegrationSwitches) => integrationEnabled,
  },
  {
    value: 'writes',
    label: 'They may make changes',
    hint: 'Off: everything can be read, but nothing can be drafted, approved or rejected.',
    isOn: ({ writesEnabled }: IntegrationSwitches) => writesEnabled,
  },
];

export const integrationPage = formPage('/workspaces/:workspaceId/integration', {
  enter: async (at) => {
    const visit = await visitAsAdmin(at, 'integration');
    const form = await at.filledIn();
    const business = await findBusiness(visit);
    const on = form
      ? listOf(form, 'switches')
      : SWITCHES.filter(({ isOn }) => isOn(business)).map(({ value }) => value);
    return { ...visit, settings: at.web.settings, kybStatus: business.kybStatus, on };
  },
  view: ({ settings, kybStatus, on }) => ({
    title: 'Integration',
    body: (
      <>
        <h2>Addresses</h2>
        <Facts of={{ 'REST API': <RestApi {...settings} />, 'MCP server': <McpServer {...settings} /> }} />
        <h2>Switches</h2>
        <Form>
          <Choices
            name="switches"
            legend="For every key and connection"
            type="checkbox"
            choices={SWITCHES}
            chosen={on}
          />
          <Button>Save changes</Button>
        </Form>
        <h2>Verification of the business</h2>
        <p>
          <Tag look={kybStatus === 'verified' ? 'good' : 'bad'}>{kybStatus.replace('_', ' ')}</Tag>
        </p>
        <p>{KYB_MEANINGS[kybStatus]}</p>
      </>
    ),
  }),
  send: async ({ run, on, path }) => {
    const switches = { integrationEnabled: on.includes('integration'), writesEnabled: on.includes('writes') };
    await run(setIntegrationSwitches, switches);
    return { to: path, notice: 'Your settings are saved and apply from the next request.' };
  },
});

async function findBusiness({ em, workspaceId }: Visit): Promise<Business> {
  const key = { workspaceId, id: workspaceId };
  const business = (await businessesById(em)([key])).get(keyOf(key));
  if (!business) throw notFound('The business');
  return business;
}

function RestApi({ restUrl }: Pick<WebSettings, 'restUrl'>): VNode {
  return (
    <>
      <code>{restUrl}</code>
      <p class="hint">
        For programs, with an API key. Read the <a href={`${restUrl}/docs`}>reference</a>, or give your tools the{' '}
        <a href={`${restUrl}/openapi.json`}>OpenAPI document</a>.
      </p>
    </>
  );
}

function McpServer({ mcpUrl }: Pick<WebSettings, 'mcpUrl'>): VNode {
  if (mcpUrl === null) return <>This deployment has none.</>;
  return (
    <>
      <code>{mcpUrl}</code>
      <p class="hint">
        For assistants: enter this address in the assistant, which then asks you to sign in. The{' '}
        <a href={new URL('/', mcpUrl).href}>guide</a> says how, for each of them.
      </p>
    </>
  );
}
