import type { Role } from '@payroll/kernel';
import type { VNode } from 'preact';
import { ROLE_MEANINGS, ROLES } from '../../domain/member.js';
import { Choices } from '../forms.js';
import { textOf, type SentForm, type Wording } from '../sent-form.js';

export const MEMBER_WORDING: Wording = {
  'name too_short': 'Enter a name',
  'name too_long': 'The name must be 200 characters or fewer',
  'name invalid_characters': 'The name contains characters that are not allowed',
  'email taken': 'Someone with this address is a member already',
  email: 'Enter an e-mail address, such as name@example.com',
  role: 'Choose a role',
};

export function RoleChoices({ chosen }: { chosen: Role | null }): VNode {
  const choices = ROLES.map((role) => ({
    ...{ value: role, label: role, hint: ROLE_MEANINGS[role] },
    isChosen: role === chosen,
  }));
  return <Choices name="role" legend="Role" type="radio" choices={choices} />;
}

export function readRole(form: SentForm): Role | null {
  return ROLES.find((role) => role === textOf(form, 'role')) ?? null;
}
