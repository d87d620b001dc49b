import type { RawRequest } from './integrator.js';

/** An operation, as the served contract document describes it. */
export interface Route {
  name: string;
  method: 'GET' | 'POST';
  /** With its parameters: `/contracts/{id}`. */
  path: string;
  /** The names of its query parameters. */
  query: readonly string[];
  needsKey: boolean;
  /** The smallest valid body, if the operation takes one. */
  body: Record<string, string> | undefined;
}

interface Document {
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, { required?: string[] }> };
}

interface DocumentedOperation {
  operationId: string;
  security?: unknown[];
  parameters?: { name?: string; in?: string }[];
  requestBody?: { content: { 'application/json': { schema: { $ref: string } } } };
}

/** Every route in `GET /v1/openapi.json`, so that a new one is tested automatically. */
export async function routesOf(restUrl: string): Promise<Route[]> {
  const document = (await (await fetch(`${restUrl}/openapi.json`)).json()) as Document;
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: operation.operationId,
      method: method === 'get' ? ('GET' as const) : ('POST' as const),
      path,
      query: (operation.parameters ?? []).flatMap(({ name, in: place }) => (place === 'query' && name ? [name] : [])),
      needsKey: operation.security?.length !== 0,
      body: leastBody(document, operation),
    })),
  );
}

function leastBody({ components }: Document, { requestBody }: DocumentedOperation): Route['body'] {
  if (!requestBody) return undefined;
  const [name = ''] = requestBody.content['application/json'].schema.$ref.split('/').slice(-1);
  const required = components.schemas[name]?.required ?? [];
  return Object.fromEntries(required.map((property) => [property, 'anything']));
}

/** The route's path with this id in place of each parameter. */
export const pathWith = ({ path }: Route, id: string): string => path.replaceAll(/\{\w+\}/g, id);

export function requestOf({ method, body }: Route, key: string, more: object = {}): RawRequest {
  if (body === undefined) return { key, method };
  return { key, method, body: { ...body, ...more }, idempotencyKey: crypto.randomUUID() };
}
