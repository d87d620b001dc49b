import { randomUUID } from 'node:crypto';
import type { Intent } from '../history.js';
import type { Tenant } from '../stage/tenants.js';
import type { Crew } from './crew.js';

const EVERY_MS = 1_500;

/** Creates drafts, each with its own reference. */
export async function draft(crew: Crew, { id: workspace, member }: Tenant): Promise<void> {
  while (!crew.isOver) {
    const reference = `torture-${randomUUID()}`;
    const about = { does: 'create', door: 'v1', workspace, about: reference } as const;
    const intent: Intent = { ...about, key: randomUUID(), by: member.principalId, role: 'member' };
    const request = { method: 'POST', path: '/contracts', key: member.secret, idempotencyKey: intent.key } as const;
    const milestones = [{ title: 'A step', amount: 10 }];
    const body = { title: 'Drafted under torture', externalReference: reference, milestones };
    await crew.insist(intent, () => crew.door.ask({ ...request, body }));
    await crew.breathe(EVERY_MS);
  }
}
