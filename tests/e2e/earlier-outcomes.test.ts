import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { must, newIntegrator, once, type Result } from './integrator.js';
import { replaceOutcome } from './owner.js';
import { activeHourly, submittedMilestones, submittedWeek } from './steps.js';

// A retry may arrive days after an upgrade: its result is read from the outcome that the earlier release recorded. So
// fields that are added to the results of these writes are nullable or have a default. Releases are added to the file
// and never changed in it.

type Recorded = Record<string, { id: string; status: string }>;
const file = new URL('earlier-outcomes.json', import.meta.url);
const releases = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Recorded>);

const { v1 } = await newIntegrator();

/** Each write, on its own resource: sent once, with a function that sends it again. */
const writes: Record<string, () => Promise<() => Promise<Result<{ id: string; status: string }>>>> = {
  'contract.create-draft': () => {
    const request = { params: once(), body: { title: 'Before the upgrade' } };
    return Promise.resolve(() => v1.POST('/contracts', request));
  },
  'timesheet.approve': async () => {
    const { id, version } = await week();
    const request = { params: { path: { id }, ...once() }, body: { expectedVersion: version } };
    return () => v1.POST('/timesheets/{id}/approve', request);
  },
  'timesheet.reject': async () => {
    const { id, version } = await week();
    const request = { params: { path: { id }, ...once() }, body: { expectedVersion: version, reason: 'No' } };
    return () => v1.POST('/timesheets/{id}/reject', request);
  },
  'milestone.approve': async () => {
    const { id, version } = await milestone();
    const request = { params: { path: { id }, ...once() }, body: { expectedVersion: version } };
    return () => v1.POST('/milestones/{id}/approve', request);
  },
  'milestone.reject': async () => {
    const { id, version } = await milestone();
    const request = { params: { path: { id }, ...once() }, body: { expectedVersion: version, reason: 'No' } };
    return () => v1.POST('/milestones/{id}/reject', request);
  },
};

const week = async () => await submittedWeek(await activeHourly(), 0);

async function milestone() {
  const { ids } = await submittedMilestones(1);
  return must(await v1.GET('/milestones/{id}', { params: { path: { id: ids[0]! } } }));
}

const all = releases.flatMap(([release, recorded]) =>
  Object.entries(recorded).map(([command, result]) => ({ release, command, result })),
);

it.each(all)('a $command that $release has recorded is answered with its result', async ({ command, result }) => {
  const send = await writes[command]!();
  const { id } = must(await send());
  await replaceOutcome(command, id, result);
  const again = await send();
  expect(must(again)).toMatchObject({ id: result.id, status: result.status });
  expect(again.response.headers.get('idempotency-replayed')).toBe('true');
});

it('every write has a recorded result', () => {
  for (const [, recorded] of releases) expect(Object.keys(recorded).toSorted()).toEqual(Object.keys(writes).toSorted());
});
