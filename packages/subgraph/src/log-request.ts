import type { Origin } from '@payroll/kernel';
import type { FastifyBaseLogger } from 'fastify';
import type { OperationDefinitionNode } from 'graphql';

/** One line for each request: of changes always, of reads at `debug`. Never the document's fields or its variables. */
export function logRequest(
  log: FastifyBaseLogger,
  { requestId, actor }: Origin,
  { name, operation }: OperationDefinitionNode,
  tookMs: number,
): void {
  const isChange = operation === 'mutation';
  if (!isChange && log.level !== 'debug' && log.level !== 'trace') return;
  const { workspaceId, principalId } = actor;
  const line = { requestId, operation: name?.value, workspaceId, principalId, tookMs: Math.round(tookMs) };
  if (isChange) log.info(line, 'answered a change');
  else log.debug(line, 'answered');
}
