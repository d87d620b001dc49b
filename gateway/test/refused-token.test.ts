import { expect, it } from 'vitest';
import { Gateway, supergraph } from '../src/index.js';
import { startFakeSubgraphs } from './fake-subgraphs.js';

it('reports SERVICE_UNAVAILABLE when a service refuses the actor token of an admitted caller', async () => {
  await using fakes = await startFakeSubgraphs();
  await using gateway = new Gateway({ supergraph: supergraph(), subgraphs: fakes.urls });
  const extensions = { code: 'INVALID_CREDENTIAL' };
  fakes.answers.review = () => ({ data: null, errors: [{ message: 'The actor token is expired.', extensions }] });
  const tokens = { workspaces: 'w', contracts: 'c', review: 'r', payments: 'p' };
  const run = gateway.prepare('{ timesheet(id: "a") { id } }').run({}, { tokens, requestId: 'late' });
  await expect(run).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
