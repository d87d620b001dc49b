import { expect } from 'vitest';
import type { V1Client } from '../support/client/client.js';
import { must } from '../e2e/integrator.js';
import { creatorOf, milestonesOf, shownOf, withPlainAmounts, type Draft } from './drafts.js';

export interface Created {
  id: string;
  updatedAt: string;
}

/**
 * Expects the created contract to read back unchanged: by id, in the list, by its reference, and with its milestones in
 * order.
 */
export async function readBack(v1: V1Client, draft: Draft, created: Created): Promise<void> {
  expect(created).toMatchObject(shownOf(draft));
  const path = { id: created.id };
  const { creator, ...summary } = must(await v1.GET('/contracts/{id}', { params: { path } }));
  expect(summary).toEqual(created);
  expect(withPlainAmounts(creator)).toEqual(withPlainAmounts(expectedCreator(draft, creator)));
  // Each change of a workspace has its own timestamp, so the first change since this one is this one.
  const query = { updatedSince: created.updatedAt, limit: 1 };
  expect(must(await v1.GET('/contracts', { params: { query } })).data).toEqual([created]);
  const milestones = must(await v1.GET('/contracts/{id}/milestones', { params: { path, query: { limit: 100 } } }));
  const sent = milestonesOf(draft).map((milestone): unknown => expect.objectContaining(milestone));
  expect(withPlainAmounts(milestones.data)).toEqual(sent);
  if (draft.externalReference === undefined) return;
  const { externalReference } = draft;
  const referred = must(await v1.GET('/contracts', { params: { query: { externalReference } } }));
  expect(referred.data).toEqual([created]);
}

/** The service assigns ids, and positions where none was sent. */
function expectedCreator(draft: Draft, shown: unknown): unknown {
  const expected = creatorOf(draft) as { deliverables: object[] } | null;
  const { deliverables = [] } = (shown ?? {}) as { deliverables?: { id: string; sortOrder: number }[] };
  return (
    expected && {
      ...expected,
      deliverables: expected.deliverables.map((each, n) => ({
        id: deliverables[n]?.id,
        sortOrder: deliverables[n]?.sortOrder,
        ...each,
      })),
    }
  );
}
