import { newApiKey, type Deployment } from '@payroll/admission';
import { newId, SCOPES, type Scope } from '@payroll/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { VNode } from 'preact';
import { createApiKey } from '../../../commands/api-keys.js';
import { listOf, textOf, type SentForm } from '../../form-values.js';
import { Button, Choices, Field, Form } from '../../forms.js';
import { roomPath } from '../../layout.js';
import { typedBefore } from '../../read-draft.js';
import { requireRecent } from '../../visitor.js';
import type { Problems } from '../../problems.js';
import { sendPage } from '../../send-page.js';
import { tryForm } from '../../try-form.js';
import { visitAsAdmin, type Visit } from '../../visit.js';
import type { Routes, Web } from '../../web.js';
import { defaultExpiry, endOfDay, KEY_WORDING, tomorrow } from './key-form.js';
import { sendMadeKey } from './made-key.js';

const SCOPE_MEANINGS: Readonly<Record<Scope, string>> = {
  read: 'See the business, contracts, timesheets, milestones, payments and balances',
  'contracts:write': 'Draft contracts',
  'timesheets:write': 'Approve and reject submitted timesheets',
  'milestones:write': 'Approve and reject submitted milestones',
};

interface KeyValues {
  name: string;
  scopes: readonly string[];
  expiresAt: string;
}

export const newKeyPage =
  (deployment: Deployment): Routes =>
  (web) =>
  (app) => {
    app.get('/workspaces/:workspaceId/keys/new', async (request, reply) => {
      const visit = await visitAsAdmin(web, request, 'keys');
      requireRecent(visit.visitor, request);
      const typed = await typedBefore(web, request);
      const values = typed ? readValues(typed) : { name: '', scopes: ['read'], expiresAt: defaultExpiry(new Date()) };
      return await sendForm(web, request, reply, visit, values, []);
    });

    app.post('/workspaces/:workspaceId/keys/new', async (request, reply) => {
      const visit = await visitAsAdmin(web, request, 'keys');
      const values = readValues(request);
      const { id, hash, text } = newApiKey(deployment);
      const input = {
        ...{ id, secretHash: hash, memberId: visit.membership.membershipId, name: values.name },
        scopes: SCOPES.filter((scope) => values.scopes.includes(scope)),
        expiresAt: endOfDay(values.expiresAt),
      };
      const operationId = textOf(request, 'operation_id');
      const outcome = await tryForm(KEY_WORDING, () =>
        web.commands.run(createApiKey, input, visit.origin, operationId),
      );
      if (!outcome.done) return await sendForm(web, request, reply, visit, values, outcome.problems);
      return await sendMadeKey(web, request, reply, { visit, name: values.name, secret: text, replaced: null });
    });
    return Promise.resolve();
  };

function readValues(form: SentForm): KeyValues {
  return { name: textOf(form, 'name'), scopes: listOf(form, 'scopes'), expiresAt: textOf(form, 'expiresAt') };
}

async function sendForm(
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
  { place }: Visit,
  values: KeyValues,
  problems: Problems,
): Promise<FastifyReply> {
  const path = `${roomPath(place.workspaceId, 'keys')}/new`;
  const body = <KeyFields path={path} values={values} problems={problems} />;
  return await sendPage(web, request, reply, { title: 'Create a key', place, problems, body });
}

function KeyFields({ path, values, problems }: { path: string; values: KeyValues; problems: Problems }): VNode {
  const choices = SCOPES.map((scope) => ({
    value: scope,
    label: scope,
    hint: SCOPE_MEANINGS[scope],
    isChosen: values.scopes.includes(scope),
  }));
  return (
    <Form action={path}>
      {/* Sent twice, it makes one key: the second one would have a secret that nobody sees. */}
      <input type="hidden" name="operation_id" value={newId()} />
      <Field name="name" label="Name" hint="Of the program that will use it" value={values.name} problems={problems} />
      <Choices name="scopes" legend="What it may do" type="checkbox" choices={choices} problems={problems} />
      <Field
        name="expiresAt"
        label="Last day"
        hint="The key works until the end of this day, UTC"
        type="date"
        value={values.expiresAt}
        min={tomorrow(new Date())}
        problems={problems}
      />
      <Button>Create key</Button>
    </Form>
  );
}
