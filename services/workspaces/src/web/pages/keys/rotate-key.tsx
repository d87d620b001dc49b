import { newApiKey, type Deployment } from '@payroll/admission';
import { newId } from '@payroll/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { rotateApiKey } from '../../../commands/api-keys.js';
import { requireOwner } from '../../../domain/permissions.js';
import { findApiKey, type ListedApiKey } from '../../../queries/list-api-keys.js';
import { textOf } from '../../form-values.js';
import { Button, Field, Form } from '../../forms.js';
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

export const rotateKeyPage =
  (deployment: Deployment): Routes =>
  (web) =>
  (app) => {
    app.get<{ Params: { id: string } }>('/workspaces/:workspaceId/keys/:id/rotate', async (request, reply) => {
      const visit = await visitAsAdmin(web, request, 'keys');
      const key = await findApiKey(web.em, visit.place.workspaceId, request.params.id);
      requireOwner(visit.origin.actor, key.memberId);
      requireRecent(visit.visitor, request);
      const typed = await typedBefore(web, request);
      const expiresAt = typed ? textOf(typed, 'expiresAt') : defaultExpiry(new Date());
      return await sendForm(web, request, reply, { visit, key, expiresAt, problems: [] });
    });

    app.post<{ Params: { id: string } }>('/workspaces/:workspaceId/keys/:id/rotate', async (request, reply) => {
      const visit = await visitAsAdmin(web, request, 'keys');
      const key = await findApiKey(web.em, visit.place.workspaceId, request.params.id);
      const expiresAt = textOf(request, 'expiresAt');
      const { id, hash, text } = newApiKey(deployment);
      const input = { replaces: key.id, id, secretHash: hash, expiresAt: endOfDay(expiresAt) };
      const operationId = textOf(request, 'operation_id');
      const outcome = await tryForm(KEY_WORDING, () =>
        web.commands.run(rotateApiKey, input, visit.origin, operationId),
      );
      if (!outcome.done)
        return await sendForm(web, request, reply, { visit, key, expiresAt, problems: outcome.problems });
      return await sendMadeKey(web, request, reply, { visit, name: key.name, secret: text, replaced: key.id });
    });
    return Promise.resolve();
  };

interface RotateForm {
  visit: Visit;
  key: ListedApiKey;
  expiresAt: string;
  problems: Problems;
}

async function sendForm(
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
  { visit: { place }, key, expiresAt, problems }: RotateForm,
): Promise<FastifyReply> {
  const body = (
    <>
      <p class="lead">
        You get a new key for the same integration: its references and retries go on. The old key works until you revoke
        it, so that you can update the program in between.
      </p>
      <Form action={`${roomPath(place.workspaceId, 'keys')}/${key.id}/rotate`}>
        <input type="hidden" name="operation_id" value={newId()} />
        <Field
          name="expiresAt"
          label="Last day of the new key"
          hint="It works until the end of this day, UTC"
          type="date"
          value={expiresAt}
          min={tomorrow(new Date())}
          problems={problems}
        />
        <Button>Create the new key</Button>
      </Form>
    </>
  );
  return await sendPage(web, request, reply, { title: `Rotate ${key.name}`, place, problems, body });
}
