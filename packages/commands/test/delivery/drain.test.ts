import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { Scene } from './support/scene.js';
import { outbox, seen, tell } from './support/told.js';

const EVENTS = 1_000;
const MINUTE = { timeout: 60_000, interval: 250 };

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open('messaging_drain');
});
beforeEach(() => scene.reset());
afterAll(() => scene[Symbol.asyncDispose]());

/** The first of them told by a command, the others like it, each of a workspace of its own. */
async function tellAll(): Promise<void> {
  await tell(scene.payments.em, 1);
  await sql`
    insert into outbox_event (id, workspace_id, type, about_id, body, recorded_at, awaiting, due_at)
    select other.id, other.workspace, type, about_id, body || jsonb_build_object('id', other.id, 'workspaceId', other.workspace,
        'body', body->'body' || jsonb_build_object('sequence', n)), recorded_at, awaiting, due_at
    from outbox_event, (
      select n, gen_random_uuid() as id, gen_random_uuid() as workspace from generate_series(2, ${EVENTS}::int) as n) as other
  `.execute(scene.payments.em.getKysely());
}

/** As if the leases of all were over, many times. */
async function leasesAreOver(): Promise<void> {
  await sql`update outbox_event set due_at = clock_timestamp() where due_at is not null`.execute(
    scene.payments.em.getKysely(),
  );
}

async function isDrained(): Promise<void> {
  await using _consumer = scene.consumer();
  await expect.poll(() => outbox(scene.payments.em), MINUTE).toMatchObject({ open: 0 });
  expect((await seen(scene.review.em)).filter((sequence) => sequence > 0)).toHaveLength(EVENTS);
}

it('what waits for a consumer that is away is published once, and drained within a minute of its return', async () => {
  await using _publisher = scene.publisher();
  await tellAll();
  await expect.poll(() => outbox(scene.payments.em), MINUTE).toEqual({ open: EVENTS, attempts: EVENTS });
  for (let polls = 1; polls <= 3; polls++) {
    await leasesAreOver();
    // The relay has looked again once it has published this one, which nobody waits for.
    await tell(scene.payments.em, 0);
    await expect.poll(() => outbox(scene.payments.em), MINUTE).toMatchObject({ attempts: EVENTS + polls });
  }
  await isDrained();
}, 180_000);

it('what the stream has lost meanwhile is offered again on the return, and drained within a minute as well', async () => {
  await using publisher = scene.publisher();
  await tellAll();
  await expect.poll(() => outbox(scene.payments.em), MINUTE).toEqual({ open: EVENTS, attempts: EVENTS });
  await scene.nats.wipe();
  await expect.poll(() => publisher.bus.connected, MINUTE).toBe(true);
  await isDrained();
}, 180_000);
