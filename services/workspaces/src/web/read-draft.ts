import type { FastifyRequest } from 'fastify';
import type { Draft } from '../domain/draft.js';
import { sayNow } from './notice.js';
import { readReturnPath } from './return-path.js';
import { signedIn } from './visitor.js';
import type { Web } from './web.js';

/** A form that waited in the sign-in page, or null: it comes from the browser, whatever it says. */
export function readDraft(text: string, origin: string): Draft | null {
  const read = parse(text) as { path?: unknown; fields?: unknown } | null;
  const path = readReturnPath(read?.path, origin);
  if (path === null || typeof read?.fields !== 'object' || read.fields === null) return null;
  const fields = Object.entries(read.fields).filter(
    ([, value]) => isText(value) || (Array.isArray(value) && value.every(isText)),
  );
  return { path, fields: Object.fromEntries(fields) as Draft['fields'] };
}

/** What was typed into this page before somebody had to sign in or give their password, once; as a form that was sent. */
export async function typedBefore(web: Web, request: FastifyRequest): Promise<{ body: Draft['fields'] } | null> {
  const visitor = await signedIn(web, request);
  const fields = visitor && (await web.sessions.takeDraft(visitor, request.url));
  if (!fields) return null;
  sayNow(request, 'Nothing has been done yet. Check it, then send it.');
  return { body: fields };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
