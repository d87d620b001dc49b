import type { FastifyRequest } from 'fastify';
import { SECRET_FIELDS, type Draft } from '../domain/draft.js';
import { TOKEN_FIELD } from './form-guard.js';

/** Not what somebody typed: secrets are asked for again, and each form that is shown brings marks of its own. */
const NOT_KEPT: ReadonlySet<string> = new Set([...SECRET_FIELDS, TOKEN_FIELD, 'operation_id']);

/** The page on which a form stands: where it is sent to, or the nearest page above that. */
export function pageOf({ method, url, routeOptions, server }: FastifyRequest): string {
  if (method === 'GET') return url;
  let [route = '', path = ''] = [routeOptions.url, url.split('?')[0]];
  while (route !== '' && !server.hasRoute({ method: 'GET', url: route })) {
    [route, path] = [above(route), above(path)];
  }
  return path === '' ? '/' : path;
}

function above(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** What the form of this request would have done is not done: this is what its page is filled in with again. */
export function draftOf(request: FastifyRequest): Draft {
  const sent = Object.entries((request.body ?? {}) as Draft['fields']);
  return { path: pageOf(request), fields: Object.fromEntries(sent.filter(([name]) => !NOT_KEPT.has(name))) };
}
