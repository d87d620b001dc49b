import { MANAGERS, newId, refuseProblems, type Role } from '@payroll/kernel';
import { defineCommand } from '@payroll/store';
import { normalizeEmail } from '../domain/account.js';
import { problemsOfEmail, problemsOfName } from '../domain/problems.js';
import type { Member } from '../domain/workspace.js';
import { MembershipTable } from '../store/tables.js';
import { toMember } from '../store/to-member.js';

export interface AddMember {
  name: string;
  email: string;
  role: Role;
}

export const addMember = defineCommand('member.add', MANAGERS, async (tx, input: AddMember): Promise<Member> => {
  const { workspaceId } = tx;
  const { name, role } = input;
  const email = normalizeEmail(input.email);
  const isTaken = (await tx.em.count(MembershipTable, { workspaceId, email, leftAt: null })) > 0;
  refuseProblems(
    [
      ...problemsOfName('name', name),
      ...problemsOfEmail('email', email),
      ...(isTaken ? [{ path: 'email', code: 'taken' }] : []),
    ],
    isTaken ? 'Someone with this address is a member already.' : 'A member has a name and an e-mail address.',
  );
  const member = tx.em.create(MembershipTable, {
    ...{ workspaceId, id: newId(), name, email, role },
    accountId: null,
    leftAt: null,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  tx.em.persist(member);
  tx.audit('member.added', member.id, { name, email, role });
  return toMember(member);
});
