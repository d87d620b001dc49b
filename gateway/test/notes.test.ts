import { expect, it } from 'vitest';
import { Gateway, supergraph } from '../src/index.js';
import { startFakeSubgraphs } from './fake-subgraphs.js';

const APPROVE = `mutation ($id: ID!, $v: String!) { approveTimesheet(id: $id, expectedVersion: $v) { status } }`;

it.each([1, 2])('a caller notes what a service says beside its answer or its refusal, on run %i', async (runs) => {
  await using fakes = await startFakeSubgraphs();
  await using gateway = await Gateway.create({ supergraph: supergraph(), subgraphs: fakes.urls });
  const noted: string[] = [];
  const caller = {
    tokens: { workspaces: 'w', contracts: 'c', review: 'r', payments: 'p' },
    requestId: 'a',
    noteReplay: () => void noted.push('replayed'),
    noteRecorded: () => void noted.push('recorded'),
  };
  const operation = gateway.prepare<object, Record<string, string>>(APPROVE);
  const run = (answer: object) => {
    fakes.answers.review = () => answer;
    return operation.run({ id: 'a', v: '1' }, caller);
  };
  const data = { approveTimesheet: { status: 'approved' } };
  for (let n = 1; n < runs; n++) await run({ data });
  await run({ data, extensions: { replayed: true } });
  expect(noted).toEqual(['replayed']);
  const refused = { data: null, errors: [{ message: 'not now', extensions: { code: 'INVALID_STATE' } }] };
  await expect(run(refused)).rejects.toMatchObject({ code: 'INVALID_STATE' });
  expect(noted).toEqual(['replayed']);
  await expect(run({ ...refused, extensions: { recorded: true } })).rejects.toMatchObject({ code: 'INVALID_STATE' });
  expect(noted).toEqual(['replayed', 'recorded']);
});
