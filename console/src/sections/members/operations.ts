import type { Role } from '@payroll/kernel';
import { Operation } from '../../operations.js';

export interface Member {
  id: string;
  name: string;
  email: string;
  role: Role;
  hasAccount: boolean;
  createdAt: string;
}

export interface Invitation {
  id: string;
  name: string;
  email: string;
  role: Role;
  expiresAt: string;
}

export interface Members {
  members: { nodes: Member[]; nextCursor: string | null };
  invitations: { nodes: Invitation[] };
}

export const readMembers = new Operation<Members, { cursor: string | null }>(`
  query members($cursor: String) {
    members(cursor: $cursor) { nodes { id name email role hasAccount createdAt } nextCursor }
    invitations { nodes { id name email role expiresAt } }
  }`);

export const readMember = new Operation<{ member: Pick<Member, 'id' | 'name' | 'role'> }, { id: string }>(
  'query member($id: ID!) { member(id: $id) { id name role } }',
);

export const changeRole = new Operation<unknown, { id: string; role: Role }>(
  'mutation changeRole($id: ID!, $role: Role!) { changeMemberRole(id: $id, role: $role) { id } }',
);

export const removeMember = new Operation<unknown, { id: string }>(
  'mutation removeMember($id: ID!) { removeMember(id: $id) { id } }',
);

export type MadeInvitation = Pick<Invitation, 'name' | 'email' | 'role' | 'expiresAt'>;

/** The link is null where it was mailed: workspaces makes it, and shows it to nobody else. */
interface Invited {
  inviteMember: { invitation: MadeInvitation; link: string | null };
}

type Invite = { name: string; email: string; role: Role | null; isMailed: boolean };

export const inviteMember = new Operation<Invited, Invite>(`
  mutation inviteMember($name: String!, $email: String!, $role: Role, $isMailed: Boolean!) {
    inviteMember(name: $name, email: $email, role: $role, isMailed: $isMailed) {
      invitation { name email role expiresAt }
      link
    }
  }`);

export const revokeInvitation = new Operation<{ revokeInvitation: { email: string } }, { id: string }>(
  'mutation revokeInvitation($id: ID!) { revokeInvitation(id: $id) { email } }',
);
