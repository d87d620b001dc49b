import type { Team } from '@payroll/kernel';
import { Directive } from 'type-graphql';

/**
 * Who of the internal endpoint may use a field: on the field itself, or on its type for those of its fields that say
 * nothing. What no list covers is nobody's.
 */
export function Teams(...teams: readonly Team[]): ReturnType<typeof Directive> {
  return Directive(`@teams(of: [${teams.map((team) => `"${team}"`).join(', ')}])`);
}

/** For what tells nothing of money and nothing of persons. */
export const EVERYBODY: readonly Team[] = ['service', 'read_only', 'support', 'operations', 'finance'];

/** For what was agreed on and what it costs. */
export const TERMS_READERS: readonly Team[] = ['service', 'support', 'operations', 'finance'];

/** For names and addresses of persons. */
export const PERSONS_READERS: readonly Team[] = ['service', 'support', 'operations', 'finance'];
