import type { ApiOperation, OperationName } from '@payroll/public-api';
import type { Explanation } from './explanations.js';
import { keySampleOf, TIMESHEET_ID } from './samples.js';

/** An operation in each language. Tests run every sample. */
export const codeSamples = (name: OperationName, operation: ApiOperation, explanation: Explanation) => [
  { lang: 'Shell', label: 'curl', source: curlOf(name, operation, explanation) },
  { lang: 'JavaScript', label: '@payroll/sdk', source: callOf(name, operation, explanation) },
];

/** `URL` is the address of the API, `KEY` an API key. */
function curlOf(name: OperationName, { path, body, query }: ApiOperation, { requests = {} }: Explanation): string {
  const filled = path.replace('{id}', TIMESHEET_ID);
  const isList = 'limit' in query.properties;
  const [first] = Object.values(requests);
  return [
    `curl "$URL${filled}${isList ? '?limit=20' : ''}"`,
    '-H "Authorization: Bearer $KEY"',
    ...(body
      ? [
          "-H 'Content-Type: application/json'",
          `-H 'Idempotency-Key: ${keySampleOf(name)}'`,
          `-d '${JSON.stringify(first?.value).replaceAll("'", String.raw`'\''`)}'`,
        ]
      : []),
  ].join(' \\\n  ');
}

/** `payroll` is a `Payroll` of the SDK, with these two. */
function callOf(
  operationId: OperationName,
  { params, query, body }: ApiOperation,
  { requests = {} }: Explanation,
): string {
  const id = `'${TIMESHEET_ID}'`;
  const [first] = Object.values(requests);
  const { expectedVersion, reason, ...draft } = (first?.value ?? {}) as { expectedVersion?: string; reason?: string };
  const inputs = [
    ...('id' in params.properties
      ? [expectedVersion === undefined ? id : `{ id: ${id}, version: '${expectedVersion}' }`]
      : []),
    ...(reason === undefined ? [] : [`'${reason}'`]),
    ...(body && expectedVersion === undefined ? [JSON.stringify(draft)] : []),
    ...('limit' in query.properties ? ['{ limit: 20 }'] : []),
    ...(body ? [`{ operation: '${keySampleOf(operationId)}' }`] : []),
  ];
  return `await payroll.${operationId}(${inputs.join(', ')})`;
}
