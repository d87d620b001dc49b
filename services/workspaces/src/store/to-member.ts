import type { InferEntity } from '@mikro-orm/core';
import type { Member } from '../domain/member.js';
import type { MembershipTable } from './tables.js';

export function toMember(row: InferEntity<typeof MembershipTable>): Member {
  const { id, name, email, role, accountId, createdAt, leftAt } = row;
  return { id, name, email, role, hasAccount: accountId !== null, createdAt, leftAt };
}
