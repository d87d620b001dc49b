import type { EntityManager } from '@mikro-orm/postgresql';
import { list, sql, type Page } from '@payroll/store';
import type { InstructionStatus } from '../domain/instruction.js';
import { instructions, type Instruction } from '../store/views.js';

interface InstructionFilters {
  status?: InstructionStatus | null;
  limit: number;
  cursor?: string | null;
}

/** That an instruction is expired is not stored: its time is over, and nobody decided. */
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
