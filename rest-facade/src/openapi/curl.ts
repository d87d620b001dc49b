import type { Operation } from '@payroll/public-api';
import { parameterComponents } from './parameters.js';
import type { Explanation } from './operations/explanation.js';

/** The operation as somebody types it: `URL` is the address of the API, `KEY` an API key. */
export function curlOf({ path, body, query }: Operation, { requests = {} }: Explanation): string {
  const filled = path.replace('{id}', exampleOf('Id'));
  const isList = 'limit' in (query as { properties: object }).properties;
  const [first] = Object.values(requests);
  return [
    `curl "$URL${filled}${isList ? '?limit=20' : ''}"`,
    '-H "Authorization: Bearer $KEY"',
    ...(body ? ["-H 'Content-Type: application/json'", `-H 'Idempotency-Key: ${exampleOf('IdempotencyKey')}'`] : []),
    ...(body ? [`-d '${JSON.stringify(first?.value).replaceAll("'", String.raw`'\''`)}'`] : []),
  ].join(' \\\n  ');
}

function exampleOf(parameter: 'Id' | 'IdempotencyKey'): string {
  return (parameterComponents[parameter] as { example: string }).example;
}
