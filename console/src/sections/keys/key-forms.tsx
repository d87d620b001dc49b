import { addDays, dayOf, DomainError, isCalendarDate, SCOPES, type Scope } from '@payroll/kernel';
import {
  Button,
  ChoiceGroup,
  ConfirmButtons,
  Field,
  Form,
  LinkButton,
  listOf,
  OneTimeSecret,
  OperationId,
  type PageView,
  textOf,
  type FieldMessages,
  Time,
} from '@payroll/pages';
import type { VNode } from 'preact';
import { readInstallation } from '../../deployment.js';
import { type FieldOf, graphql, ONCE, SENT } from '../../operations.js';
import { formPage } from '../../routes.js';
import { idIn, type WorkspaceContext, requireRole, operationIn } from '../../workspace-context.js';

const readKey = graphql('query key($id: ID!) { apiKey(id: $id) { id name memberId lastUsedAt } }');

const createKey = graphql(
  `mutation createKey($input: ApiKeyInput!, ${ONCE}) { createApiKey(input: $input, ${SENT}) { secret } }`,
);

/** The secret is null where the form was sent before: only the first answer shows it. */
type MadeKey = FieldOf<typeof createKey, 'createApiKey'>;

const rotateKey = graphql(`
  mutation rotateKey($id: ID!, $expiresAt: Timestamp!, ${ONCE}) {
    rotateApiKey(id: $id, expiresAt: $expiresAt, ${SENT}) { secret }
  }`);

const revokeKey = graphql('mutation revokeKey($id: ID!) { revokeApiKey(id: $id) { id } }');

const SCOPE_MEANINGS: Readonly<Record<Scope, string>> = {
  read: 'See the business, contracts, timesheets, milestones, payments and balances',
  'contracts:write': 'Draft contracts',
  'timesheets:write': 'Approve and reject submitted timesheets',
  'milestones:write': 'Approve and reject submitted milestones',
};

const WORDING: FieldMessages = {
  'name too_short': 'Enter a name for the key',
  'name too_long': 'The name must be 200 characters or fewer',
  'name invalid_characters': 'The name contains characters that are not allowed',
  'scopes too_short': 'Choose what the key may do',
  'scopes beyond_role': 'The key cannot do more than the role of its member allows',
  expiresAt: 'Enter a day in the future on which the key expires',
};

/** Long enough for a quarter's work, short enough that rotation stays a habit. */
const DEFAULT_DAYS = 90;

export const newKeyPage = formPage('/workspaces/:workspaceId/keys/new', {
  wording: WORDING,
  load: async (ctx) => {
    const visit = await requireRole(ctx, ['admin']);
    await ctx.requireRecent();
    const form = ctx.typed;
    const values = form
      ? { name: textOf(form, 'name'), scopes: listOf(form, 'scopes'), expiresAt: textOf(form, 'expiresAt') }
      : { name: '', scopes: ['read'], expiresAt: inDays(DEFAULT_DAYS) };
    return { ...visit, ...values };
  },
  view: ({ name, scopes, expiresAt }) => {
    const choices = SCOPES.map((scope) => ({ value: scope, hint: SCOPE_MEANINGS[scope] }));
    const body = (
      <Form>
        {/* Sent twice, it makes one key: the second one would have a secret that nobody sees. */}
        <OperationId />
        <Field name="name" label="Name" hint="Of the program that will use it" value={name} />
        <ChoiceGroup name="scopes" legend="What it may do" type="checkbox" choices={choices} chosen={scopes} />
        <LastDay label="Last day" hint="The key works until the end of this day, UTC" value={expiresAt} />
        <Button>Create key</Button>
      </Form>
    );
    return { title: 'Create a key', body };
  },
  submit: async ({ name, scopes, expiresAt, ...visit }, ctx) => {
    const input = {
      memberId: visit.membershipId,
      name,
      expiresAt: endOf(expiresAt),
      scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    };
    const { createApiKey } = await visit.mutate(createKey, { input }, operationIn(ctx));
    return await madeKeyPage(visit, createApiKey, { name });
  },
});

export const rotateKeyPage = formPage('/workspaces/:workspaceId/keys/:id/rotate', {
  wording: WORDING,
  load: async (ctx) => {
    const visit = await requireRole(ctx, ['admin']);
    const { apiKey: key } = await visit.run(readKey, { id: idIn(ctx) });
    if (key.memberId !== visit.membershipId) throw OF_ANOTHER;
    await ctx.requireRecent();
    const form = ctx.typed;
    return { ...visit, key, expiresAt: form ? textOf(form, 'expiresAt') : inDays(DEFAULT_DAYS) };
  },
  view: ({ key, expiresAt }) => ({
    title: `Rotate ${key.name}`,
    lead: 'The new key keeps the external references and idempotency keys of the integration. The old key works until you revoke it, so that you can update the program in between.',
    body: (
      <Form>
        <OperationId />
        <LastDay label="Last day of the new key" hint="It works until the end of this day, UTC" value={expiresAt} />
        <Button>Create the new key</Button>
      </Form>
    ),
  }),
  submit: async ({ key, expiresAt, ...visit }, ctx) => {
    const given = { id: key.id, expiresAt: endOf(expiresAt) };
    const { rotateApiKey } = await visit.mutate(rotateKey, given, operationIn(ctx));
    return await madeKeyPage(visit, rotateApiKey, { name: key.name, replaced: key.id });
  },
});

/** The command refuses it too; this says so before the form is filled in. */
const OF_ANOTHER = new DomainError(
  'INSUFFICIENT_SCOPE',
  'This acts for somebody else. Only they can do it; you can end it.',
);

function LastDay(field: { label: string; hint: string; value: string }): VNode {
  return <Field name="expiresAt" type="date" min={inDays(1)} {...field} />;
}

function inDays(days: number): string {
  return addDays(dayOf(new Date()), days);
}

/** A key that expires on a day is valid until the end of that day in UTC. Other text is passed on: the command reports all errors at once. */
function endOf(day: string): string {
  return `${isCalendarDate(day) ? day : '1970-01-01'}T23:59:59Z`;
}

interface About {
  name: string;
  /** The key that it takes the place of and that still works. */
  replaced?: string;
}

/**
 * The one answer that holds a key's secret.
 * @throws DomainError for a form that was sent before: the key that it made has a secret that only the first answer shows.
 */
async function madeKeyPage(
  { run, path }: WorkspaceContext,
  { secret }: MadeKey,
  { name, replaced }: About,
): Promise<PageView> {
  if (secret === null) {
    throw new DomainError('IDEMPOTENCY_KEY_REUSED', 'This form has made a key before, and its secret was shown then.');
  }
  const { restUrl } = (await run(readInstallation, {})).installation;
  const body = (
    <>
      <OneTimeSecret
        label="Your new key"
        value={secret}
        hint="Press Tab to select all of it, then copy. Keep it in a secret store, never in code or a browser."
      />
      {replaced !== undefined && (
        <p>
          The old key still works. Once the program uses the new one,{' '}
          <a href={`${path}/${replaced}/revoke`}>revoke the old one</a>.
        </p>
      )}
      <h2>Try it</h2>
      <pre tabIndex={0} role="region" aria-label="A first request">
        <code>{`curl -H "Authorization: Bearer $KEY" \\\n  ${restUrl}/business`}</code>
      </pre>
      <LinkButton href={path}>I have saved the key</LinkButton>
    </>
  );
  const lead = `Copy the key for ${name} now. It is shown this once and cannot be retrieved later.`;
  return { title: 'Key created', lead, body };
}

export const revokeKeyPage = formPage('/workspaces/:workspaceId/keys/:id/revoke', {
  load: async (ctx) => {
    const { run, path } = await requireRole(ctx, ['admin']);
    const { apiKey: key } = await run(readKey, { id: idIn(ctx) });
    return { run, path, key };
  },
  view: ({ path, key }) => ({
    title: `Revoke ${key.name}?`,
    lead: 'Programs that use this key are refused from their next request on. This cannot be undone.',
    body: (
      <>
        <p>
          Last used: <Time at={key.lastUsedAt} never="never" />
        </p>
        <Form>
          <ConfirmButtons look="danger" label="Revoke the key" back={path} keep="Keep it" />
        </Form>
      </>
    ),
  }),
  submit: async ({ run, path, key }) => {
    await run(revokeKey, { id: key.id });
    return { to: path, notice: `The key ${key.name} is revoked.` };
  },
});
