import { newApiKey } from '@payroll/admission';
import { canonicalJson, derivedId, DomainError, isCalendarDate, SCOPES, type Scope } from '@payroll/kernel';
import {
  Button,
  Choices,
  Field,
  Form,
  LinkButton,
  listOf,
  Once,
  OPERATION_FIELD,
  OperationId,
  type Page,
  textOf,
  type Wording,
} from '@payroll/pages';
import type { VNode } from 'preact';
import { createApiKey, rotateApiKey } from '../../commands/api-keys.js';
import { requireOwner } from '../../domain/member.js';
import { findApiKey } from '../../queries/credentials.js';
import type { OwnExchange } from '../exchange.js';
import { formPage } from '../routes.js';
import { visitAsAdmin } from '../visit.js';

const SCOPE_MEANINGS: Readonly<Record<Scope, string>> = {
  read: 'See the business, contracts, timesheets, milestones, payments and balances',
  'contracts:write': 'Draft contracts',
  'timesheets:write': 'Approve and reject submitted timesheets',
  'milestones:write': 'Approve and reject submitted milestones',
};

const WORDING: Wording = {
  'name too_short': 'Enter a name for the key',
  'name too_long': 'The name must be 200 characters or fewer',
  'name invalid_characters': 'The name contains characters that are not allowed',
  'scopes too_short': 'Choose what the key may do',
  'scopes beyond_role': 'The key cannot do more than the role of its member allows',
  expiresAt: 'Enter a day in the future on which the key expires',
};

/** Long enough for a quarter's work, short enough that rotation stays a habit. */
const DEFAULT_DAYS = 90;

export const newKey = formPage('/workspaces/:workspaceId/keys/new', {
  wording: WORDING,
  enter: async (at) => {
    const visit = await visitAsAdmin(at, 'keys');
    await at.requireRecent();
    const form = await at.filledIn();
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
        <Choices name="scopes" legend="What it may do" type="checkbox" choices={choices} chosen={scopes} />
        <LastDay label="Last day" hint="The key works until the end of this day, UTC" value={expiresAt} />
        <Button>Create key</Button>
      </Form>
    );
    return { title: 'Create a key', body };
  },
  send: async ({ run, path, membership, name, scopes, expiresAt }, at) => {
    const { id, hash: secretHash, text: secret } = newApiKey(at.web.settings.deployment);
    const input = {
      ...{ id, secretHash, memberId: membership.membershipId, name, expiresAt: endOf(expiresAt) },
      scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    };
    onlyOnce(id, await run(createApiKey, input, operationOf(at, { name, scopes, expiresAt })));
    return madeKeyPage(at, path, { name, secret });
  },
});

export const rotateKey = formPage('/workspaces/:workspaceId/keys/:id/rotate', {
  wording: WORDING,
  enter: async (at) => {
    const visit = await visitAsAdmin(at, 'keys');
    const key = await findApiKey(visit.em, visit.workspaceId, at.param('id'));
    requireOwner(visit.origin.actor, key.memberId);
    await at.requireRecent();
    const form = await at.filledIn();
    return { ...visit, key, expiresAt: form ? textOf(form, 'expiresAt') : inDays(DEFAULT_DAYS) };
  },
  view: ({ key, expiresAt }) => ({
    title: `Rotate ${key.name}`,
    lead: 'You get a new key for the same integration: its references and retries go on. The old key works until you revoke it, so that you can update the program in between.',
    body: (
      <Form>
        <OperationId />
        <LastDay label="Last day of the new key" hint="It works until the end of this day, UTC" value={expiresAt} />
        <Button>Create the new key</Button>
      </Form>
    ),
  }),
  send: async ({ run, path, key, expiresAt }, at) => {
    const { id, hash: secretHash, text: secret } = newApiKey(at.web.settings.deployment);
    const input = { replaces: key.id, id, secretHash, expiresAt: endOf(expiresAt) };
    onlyOnce(id, await run(rotateApiKey, input, operationOf(at, { replaces: key.id, expiresAt })));
    return madeKeyPage(at, path, { name: key.name, secret, replaced: key.id });
  },
});

/** What one form says is one operation, without the secret, which is another one each time it is sent. */
function operationOf(at: OwnExchange, typed: object): string {
  return derivedId(textOf(at, OPERATION_FIELD), canonicalJson(typed));
}

/** @throws DomainError for a form that was sent before: the key that it made has a secret that only the first answer shows. */
function onlyOnce(id: string, made: { id: string }): void {
  if (made.id === id) return;
  throw new DomainError('IDEMPOTENCY_KEY_REUSED', 'This form has made a key before, and its secret was shown then.');
}

function LastDay(field: { label: string; hint: string; value: string }): VNode {
  return <Field name="expiresAt" type="date" min={inDays(1)} {...field} />;
}

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** A key that expires on a day is good until the day is over, in UTC; what is no day is left for the command to refuse. */
function endOf(day: string): string {
  return isCalendarDate(day) ? `${day}T23:59:59Z` : day;
}

interface MadeKey {
  name: string;
  secret: string;
  /** The key that it takes the place of and that still works. */
  replaced?: string;
}

/** The one answer that holds a key's secret. */
function madeKeyPage({ web }: OwnExchange, path: string, { name, secret, replaced }: MadeKey): Page {
  const body = (
    <>
      <Once
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
        <code>{`curl -H "Authorization: Bearer $KEY" \\\n  ${web.settings.restUrl}/business`}</code>
      </pre>
      <LinkButton href={path}>I have saved the key</LinkButton>
    </>
  );
  const lead = `Copy the key for ${name} now. It is shown this once and cannot be retrieved later.`;
  return { title: 'Key created', lead, body };
}
