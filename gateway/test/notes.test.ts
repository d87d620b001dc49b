import { expect, it } from 'vitest';
import { Gateway, supergraph } from '../src/index.js';
import { startFakeSubgraphs } from './fake-subgraphs.js';

const APPROVE = `mutation ($id: ID!, $v: String!) { approveTimesheet(id: $id, expectedVersion: $v) { status } }`;

it('notifies the caller whether a service replayed a change or recorded a refusal', async () => {
  await using fakes = await startFakeSubgraphs();
  await using gateway = new Gateway({ supergraph: supergraph(), subgraphs: fakes.urls });
  const noted: string[] = [];
  const caller = {
    tokens: { workspaces: 'w', contracts: 'c', review: 'r', payments: 'p' },
    requestId: 'a',
    onReplay: () => void noted.push('replayed'),
    onRefusalRecorded: () => void noted.push('recorded'),
  };
  const operation = gateway.prepare<object, Record<string, string>>(APPROVE);
  const run = (answer: object) => {
    fakes.answers.review = () => answer;
    return operation.run({ id: 'a', v: '1' }, caller);
  };
  const data = { approveTimesheet: { status: 'approved' } };
  await run({ data });
  expect(noted).toEqual([]);
  await run({ extensions: { replayed: true }, data });
  expect(noted).toEqual(['replayed']);
  const errors = [{ message: 'not now', extensions: { code: 'INVALID_STATE' } }];
  const refused = { errors, data: null };
  await expect(run(refused)).rejects.toMatchObject({ code: 'INVALID_STATE' });
  expect(noted).toEqual(['replayed']);
  await expect(run({ errors, extensions: { recorded: true }, data: null })).rejects.toMatchObject({
    code: 'INVALID_STATE',
  });
  expect(noted).toEqual(['replayed', 'recorded']);
});
