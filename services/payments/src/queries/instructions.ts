import type { EntityManager } from '@mikro-orm/postgresql';
import { list, sql, type Page } from '@payroll/store';
import type { InstructionStatus } from '../domain/instruction.js';
import { instructions, type Instruction } from '../store/views.js';

interface InstructionFilters {
  status?: InstructionStatus | null;
  limit: number;
  cursor?: string | null;
}

/** Expiry is not stored: an instruction is expired if its time is over and no decision was made. */
export async function listInstructions(
  em: EntityManager,
  workspaceId: string,
  { status, ...page }: InstructionFilters,
): Promise<Page<Instruction>> {
  const stored = status === 'expired' ? 'requested' : status;
  const conditions = [
    stored && sql`status = ${stored}`,
    status === 'requested' && sql`expires_at > now()`,
    status === 'expired' && sql`expires_at <= now()`,
  ];
  return await list(em, instructions, { workspaceId, filters: { status }, conditions, ...page });
}
