import type { Role } from '@payroll/kernel';
import { ROLE_MEANINGS } from '../../../domain/roles.js';
import { ROLES } from '../../../domain/workspace.js';
import type { Choice } from '../../forms.js';
import type { Wording } from '../../problems.js';

export const MEMBER_WORDING: Wording = {
  'name too_short': 'Enter a name',
  'name too_long': 'The name must be 200 characters or fewer',
  'name invalid_characters': 'The name contains characters that are not allowed',
  'email taken': 'Someone with this address is a member already',
  email: 'Enter an e-mail address, such as name@example.com',
  role: 'Choose a role',
};

export function roleChoices(chosen: Role | null): Choice[] {
  return ROLES.map((role) => ({ value: role, label: role, hint: ROLE_MEANINGS[role], isChosen: role === chosen }));
}

export function readRole(text: string): Role | null {
  return ROLES.find((role) => role === text) ?? null;
}

export const NO_ROLE = { field: 'role', message: 'Choose a role' };
