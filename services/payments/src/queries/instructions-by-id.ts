import type { EntityManager } from '@mikro-orm/postgresql';
import { readByKeys } from '@payroll/store';
import { keyOf, type Fetch } from '@payroll/subgraph';
import type { Instruction } from '../domain/instruction.js';
import { INSTRUCTION_COLUMNS, toInstruction, type InstructionRow } from '../store/to-instruction.js';

export function instructionsById(em: EntityManager): Fetch<Instruction> {
  return async (keys) => {
    const rows = await readByKeys<InstructionRow>(em, 'instruction', INSTRUCTION_COLUMNS, keys);
    return new Map(rows.map((row) => [keyOf(row), toInstruction(row)]));
  };
}
