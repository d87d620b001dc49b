import { randomUUID } from 'node:crypto';
import type { Intent } from '../history.js';
import type { Piece, Principal, Tenant } from '../system/workspaces.js';
import type { Crew, Ended } from './crew.js';
import type { Answer } from './door.js';

/** Interval between two decisions of a person: well under the contract's 60 writes a minute, including retries. */
const EVERY_MS = 1_500;
const REJECTS = 0.04;
/** Share of work on which two reviewers decide at once. */
const RIVALS = 0.05;
/** Share of keys that are sent again after their answer, some of them half a minute later. */
const REPEATS = 0.15;
const LATEST_REPEAT_MS = 30_000;

/** An integrator with an admin's key who decides on submitted work. */
export async function review(crew: Crew, tenant: Tenant, admin: Principal): Promise<void> {
  await crew.breathe(EVERY_MS);
  while (!crew.isOver) {
    const piece = crew.take(tenant);
    if (piece) {
      const rival = tenant.admins[Math.floor(crew.random() * tenant.admins.length)]!;
      const rivals = crew.random() < RIVALS && rival !== admin ? [rival] : [];
      await Promise.all([admin, ...rivals].map((each) => decideOn(crew, piece, each)));
    }
    await crew.breathe(EVERY_MS);
  }
}

async function decideOn(crew: Crew, piece: Piece, { principalId, secret }: Principal): Promise<void> {
  const does = crew.random() < REJECTS ? 'reject' : 'approve';
  const about = { does, door: 'v1', workspace: piece.workspace, about: piece.id } as const;
  const intent: Intent = { ...about, key: randomUUID(), by: principalId, role: 'admin' };
  const send = (): Promise<Answer> =>
    crew.door.ask({
      method: 'POST',
      path: `/${piece.kind}s/{id}/${does}`,
      id: piece.id,
      key: secret,
      idempotencyKey: intent.key,
      body: { expectedVersion: piece.version, ...(does === 'reject' && { reason: 'Not what was agreed' }) },
    });
  const ended = await crew.insist(intent, send);
  noteDecision(crew, piece, intent, ended);
  if (ended.kind !== 'ok' || crew.random() > REPEATS) return;
  crew.beside(async () => {
    const laterMs = crew.random() < 0.5 ? 0 : crew.random() * LATEST_REPEAT_MS;
    const until = performance.now() + laterMs;
    while (!crew.isOver && performance.now() < until) await crew.breathe(200);
    if ((await crew.insist(intent, send)).kind === 'ok') crew.tally.suppressed += 1;
  });
}

export function noteDecision(crew: Crew, piece: Piece, { does, by }: Intent, ended: Ended): void {
  if (ended.kind !== 'ok') return;
  if (does === 'approve') crew.tally.approvals += 1;
  crew.acknowledged.push({ piece, by, from: ended.from, at: ended.at });
}

/**
 * After a switch: acknowledged decisions that are lost have to be made again, as their integrator sees on the next
 * read.
 */
export async function findLost(crew: Crew, copiedAt: number): Promise<void> {
  const switched = crew.history.now;
  const admins = new Map(crew.stage.tenants.flatMap((each) => each.admins.map((admin) => [each.id, admin] as const)));
  const doubtful = crew.acknowledged.filter(({ at, from }) => at > copiedAt && from < switched);
  for (const { piece } of new Map(doubtful.map((each) => [each.piece.id, each])).values()) {
    if (crew.isOver) return;
    const key = admins.get(piece.workspace)!.secret;
    const read = { method: 'GET', path: `/${piece.kind}s/{id}`, id: piece.id, key } as const;
    const answer = await crew.door.ask(read).catch(() => null);
    if (answer?.status !== 200) continue;
    const { status, version } = JSON.parse(answer.text) as { status: string; version: string };
    if (status !== 'submitted') continue;
    crew.stage.tenants.find(({ id }) => id === piece.workspace)!.work.push({ ...piece, version });
  }
}

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
