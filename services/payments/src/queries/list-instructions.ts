import type { EntityManager } from '@mikro-orm/postgresql';
import { Keyset, part, readComposed, type Page } from '@payroll/store';
import type { Instruction, InstructionStatus } from '../domain/instruction.js';
import { INSTRUCTION_COLUMNS, toInstruction, type InstructionRow } from '../store/to-instruction.js';

export interface InstructionFilters {
  status?: InstructionStatus | null;
  limit: number;
  cursor?: string | null;
}

export async function listInstructions(
  em: EntityManager,
  workspaceId: string,
  { status, limit, cursor }: InstructionFilters,
): Promise<Page<Instruction>> {
  const keyset = new Keyset({ list: 'instructions', workspaceId, filters: { status: status ?? null }, limit, cursor });
  const written = status === 'expired' ? 'requested' : status;
  const statement = keyset.statement(part`select ${INSTRUCTION_COLUMNS} from instruction`, 'instruction', [
    written && part`instruction.status = ${written}`,
    status === 'requested' && part`instruction.expires_at > now()`,
    status === 'expired' && part`instruction.expires_at <= now()`,
  ]);
  const rows = await readComposed<InstructionRow>(em, statement);
  return keyset.page(rows, toInstruction);
}
