import type { Role } from '@payroll/kernel';

/** What each role may do, in words for people who choose one (public-api.md §5). */
export const ROLE_MEANINGS: Readonly<Record<Role, string>> = {
  admin: 'Manages members, keys and connections; approves and rejects submitted work.',
  member: 'Reads everything and drafts contracts.',
  viewer: 'Reads everything and changes nothing.',
};
