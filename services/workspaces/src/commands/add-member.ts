import { DomainError, newId, requireInternal, type Role } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { isEmail, type Member } from '../domain/workspace.js';
import { MembershipTable } from '../store/tables.js';

export interface AddMember {
  name: string;
  email: string;
  role: Role;
}

export const addMember = defineCommand('member.add', async (tx, input: AddMember): Promise<Member> => {
  requireInternal(tx.origin.actor);
  const { workspaceId } = tx;
  const email = input.email.toLowerCase();
  if (!isEmail(email)) throw invalid('format', 'email is an e-mail address.');
  if ((await tx.em.count(MembershipTable, { workspaceId, email, leftAt: null })) > 0) {
    throw invalid('taken', 'Someone with this address is a member already.');
  }
  const member = tx.em.create(MembershipTable, {
    workspaceId,
    id: newId(),
    name: input.name,
    email,
    role: input.role,
    leftAt: null,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  tx.em.persist(member);
  tx.audit('member.added', member.id, { role: input.role });
  return { id: member.id, name: member.name, email, role: member.role };
});

function invalid(code: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path: 'email', code }] });
}
