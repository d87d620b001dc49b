import { Button, ChoiceGroup, DefinitionList, Form, listOf, type SentForm, Tag } from '@payroll/pages';
import type { VNode } from 'preact';
import type { Installation } from '../deployment.js';
import { graphql } from '../operations.js';
import { formPage } from '../routes.js';
import { seenIn, seenText } from '../snapshot.js';
import { KYB_MEANINGS } from '../words.js';
import { requireRole } from '../workspace-context.js';

const SWITCHED = 'integrationEnabled writesEnabled';

const readIntegration = graphql(`
  query integration {
    business { kybStatus switches { ${SWITCHED} } }
    installation { restUrl mcpUrl }
  }`);

const setSwitches = graphql(`
  mutation setSwitches($integrationEnabled: Boolean, $writesEnabled: Boolean) {
    setIntegrationSwitches(integrationEnabled: $integrationEnabled, writesEnabled: $writesEnabled) {
      switches { ${SWITCHED} }
    }
  }`);

const SWITCHES = [
  {
    value: 'integration',
    field: 'integrationEnabled',
    label: 'The API and the MCP server answer',
    hint: 'Off: every key and connection of this workspace is refused.',
  },
  {
    value: 'writes',
    field: 'writesEnabled',
    label: 'They may make changes',
    hint: 'Off: everything can be read, but nothing can be drafted, approved or rejected.',
  },
] as const;

export const integrationPages = formPage('/workspaces/:workspaceId/integration', {
  load: async (ctx) => {
    const { run, path } = await requireRole(ctx, ['admin']);
    const { business, installation } = await run(readIntegration, {});
    const { kybStatus, switches } = business;
    const now = Object.fromEntries(SWITCHES.map(({ value, field }) => [value, switches[field] ? 'on' : 'off']));
    const changed = ctx.typed ? changedIn(ctx.typed) : {};
    const on = SWITCHES.filter(({ field }) => changed[field] ?? switches[field]).map(({ value }) => value);
    return { run, path, installation, kybStatus, now, on, changed };
  },
  view: ({ installation, kybStatus, now, on }) => ({
    title: 'Integration',
    body: (
      <>
        <h2>Addresses</h2>
        <DefinitionList
          of={{ 'REST API': <RestApi {...installation} />, 'MCP server': <McpServer {...installation} /> }}
        />
        <h2>Switches</h2>
        <Form>
          <input type="hidden" name="seen" value={seenText(now)} />
          <ChoiceGroup
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
  submit: async ({ run, changed, path }) => {
    if (Object.keys(changed).length === 0)
      return { to: path, notice: 'You changed no switch: they stand as shown here.' };
    await run(setSwitches, changed);
    return { to: path, notice: 'Your settings are saved and apply from the next request.' };
  },
});

/**
 * The switches that the sender of the form has changed. Otherwise a page opened an hour ago would switch on again what another
 * admin has switched off since.
 */
function changedIn(form: SentForm): { integrationEnabled?: boolean; writesEnabled?: boolean } {
  const [seen, chosen] = [seenIn(form) ?? {}, listOf(form, 'switches')];
  const typed = SWITCHES.map(({ value, field }) => ({ value, field, isOn: chosen.includes(value) }));
  const changed = typed.filter(({ value, isOn }) => seen[value] !== (isOn ? 'on' : 'off'));
  return Object.fromEntries(changed.map(({ field, isOn }) => [field, isOn]));
}

function RestApi({ restUrl }: Pick<Installation, 'restUrl'>): VNode {
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

function McpServer({ mcpUrl }: Pick<Installation, 'mcpUrl'>): VNode {
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
