import type { FastifyReply, FastifyRequest } from 'fastify';
import { roomPath } from '../../layout.js';
import { LinkButton, Once } from '../../pieces.js';
import { sendPage } from '../../send-page.js';
import type { Visit } from '../../visit.js';
import type { Web } from '../../web.js';

export interface MadeKey {
  visit: Visit;
  name: string;
  secret: string;
  /** The key that it takes the place of and that still works. */
  replaced: string | null;
}

/** The one answer that holds a key's secret. */
export async function sendMadeKey(
  web: Web,
  request: FastifyRequest,
  reply: FastifyReply,
  { visit: { place }, name, secret, replaced }: MadeKey,
): Promise<FastifyReply> {
  const path = roomPath(place.workspaceId, 'keys');
  const body = (
    <>
      <p class="lead">Copy the key for {name} now. It is shown this once and cannot be retrieved later.</p>
      <Once
        label="Your new key"
        value={secret}
        hint="Press Tab to select all of it, then copy. Keep it in a secret store, never in code or a browser."
      />
      {replaced !== null && (
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
  return await sendPage(web, request, reply, { title: 'Key created', place, body });
}
