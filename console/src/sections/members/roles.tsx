import { ROLES, type Role } from '@payroll/kernel';
import { ChoiceGroup, type SentForm, textOf } from '@payroll/pages';
import type { VNode } from 'preact';

export const ROLE_NAMES: Readonly<Record<Role, string>> = { admin: 'Admin', member: 'Member', viewer: 'Viewer' };

/** The permissions of each role, in words for the person who chooses one (public-api.md §5). */
export const ROLE_MEANINGS: Readonly<Record<Role, string>> = {
  admin: 'Manages members, keys and connections; approves and rejects submitted work.',
  member:
    'Reads everything but members, keys and connections. Drafts contracts, adds workers, and submits timesheets for the business.',
  viewer: 'Reads what members read, without the addresses of workers. Changes nothing.',
};

export function RoleChoices({ chosen }: { chosen: Role | null }): VNode {
  const choices = ROLES.map((role) => ({ value: role, label: ROLE_NAMES[role], hint: ROLE_MEANINGS[role] }));
  return (
    <ChoiceGroup name="role" legend="Role" type="radio" choices={choices} chosen={chosen === null ? [] : [chosen]} />
  );
}

export function readRole(form: SentForm, field = 'role'): Role | null {
  return ROLES.find((role) => role === textOf(form, field)) ?? null;
}
