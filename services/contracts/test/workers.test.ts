import { createHash } from 'node:crypto';
import { newId, requireWorker, type Origin } from '@payroll/kernel';
import { afterAll, describe, expect, it } from 'vitest';
import { myAmendments } from '../src/queries/agreements.js';
import { application, Contracts, person, worker } from './support.js';
import { advance, codes, draft, must, only } from './walk.js';

const contracts = await Contracts.open('contracts_workers');
afterAll(() => contracts[Symbol.asyncDispose]());

const ALL = 'id title status text digest workerSignedAt businessSignedAt changesAsked amendments { number }';
const LIST = `{ myContracts { ${ALL} } }`;
const ONE = `query ($id: ID!) { myContract(id: $id) { ${ALL} } }`;
const SIGN = `mutation ($id: ID!, $digest: String!, $operationId: ID) {
  signMyContract(id: $id, digest: $digest, clientAddress: "192.0.2.7", browser: "Firefox", operationId: $operationId) {
    status workerSignedAt } }`;
const ASK = `mutation ($id: ID!, $reason: String!) {
  askForContractChanges(id: $id, reason: $reason) { status changesAsked } }`;

/** A contract after `steps` of its life, and its worker. */
async function contractAfter(steps: number): Promise<{ team: Origin; id: string; workerId: string; wanda: Origin }> {
  const team = application();
  const { workspaceId } = team.actor;
  const id = await draft(contracts, team);
  await advance(contracts, team, id, steps);
  const found = await must(contracts, team, 'query ($id: ID!) { contract(id: $id) { worker { id } } }', { id });
  const { id: workerId } = found['worker'] as { id: string };
  return { team, id, workerId, wanda: worker(workspaceId, workerId) };
}

const mine = async (by: Origin, id: string): Promise<Record<string, unknown> | null> =>
  only(await contracts.graphql(by, ONE, { id })) ?? null;

/** The number of steps until the text is sent for signature. */
const SENT = 3;

describe("a worker's reads", () => {
  it('a worker can read a contract once its text was sent for signature, and no draft', async () => {
    const { team, id, wanda } = await contractAfter(SENT - 1);
    expect(await mine(wanda, id)).toBeNull();
    expect(only(await contracts.graphql(wanda, LIST))).toEqual([]);
    await must(contracts, team, 'mutation ($id: ID!) { requestContractSignatures(id: $id) { id } }', { id });
    const sent = await mine(wanda, id);
    expect(sent).toMatchObject({ id, status: 'pending_signature', workerSignedAt: null, amendments: [] });
    expect(createHash('sha256').update(String(sent?.['text'])).digest('hex')).toBe(sent?.['digest']);
    expect(only(await contracts.graphql(wanda, LIST))).toEqual([sent]);
  });

  it.each([
    ['that they have signed', true],
    ['that they have not signed', false],
  ])('a worker can read a contract %s after the business has cancelled and deleted it: %s', async (_, isSigned) => {
    const { team, id, wanda } = await contractAfter(isSigned ? SENT + 1 : SENT);
    await must(contracts, team, 'mutation ($id: ID!) { cancelContract(id: $id, reason: "r") { id } }', { id });
    await must(contracts, team, 'mutation ($id: ID!) { deleteContract(id: $id) { id } }', { id });
    const found = await mine(wanda, id);
    expect(found?.['status']).toBe(isSigned ? 'cancelled' : undefined);
    expect(only(await contracts.graphql(wanda, LIST))).toEqual(isSigned ? [found] : []);
    const { digest } = found ?? { digest: 'f'.repeat(64) };
    expect(codes(await contracts.graphql(wanda, SIGN, { id, digest }))).toEqual(['NOT_FOUND']);
  });

  it('a worker can read nothing of another worker or workspace, and nothing by an invalid id', async () => {
    const { team, id, workerId } = await contractAfter(SENT);
    const strangers = [worker(team.actor.workspaceId, newId()), worker(newId(), workerId)];
    for (const stranger of strangers) {
      expect(await mine(stranger, id)).toBeNull();
      expect(only(await contracts.graphql(stranger, LIST))).toEqual([]);
      const { digest } = (await mine(worker(team.actor.workspaceId, workerId), id)) as { digest: string };
      expect(codes(await contracts.graphql(stranger, SIGN, { id, digest }))).toEqual(['NOT_FOUND']);
      expect(codes(await contracts.graphql(stranger, ASK, { id, reason: 'r' }))).toEqual(['NOT_FOUND']);
    }
    for (const none of ['', 'x', newId()]) expect(await mine(strangers[0]!, none)).toBeNull();
  });

  it('a worker can read the amendments of their own contract, and none of another worker or workspace', async () => {
    const { team, id, workerId, wanda } = await contractAfter(6);
    await must(contracts, team, 'mutation ($id: ID!) { changeContractTerms(id: $id, rate: "30") { id } }', { id });
    expect(await mine(wanda, id)).toMatchObject({ amendments: [{ number: 1 }] });
    // The graph reads them through one's own contract only; the statement must not rely on that.
    for (const stranger of [worker(team.actor.workspaceId, newId()), worker(newId(), workerId)]) {
      expect(await myAmendments(contracts.em, requireWorker(stranger.actor), id)).toEqual([]);
    }
  });

  it('documents with any field that is not for workers are refused as a whole', async () => {
    const { id, workerId, wanda } = await contractAfter(SENT);
    const documents = [
      `{ contract(id: "${id}") { id } }`,
      `{ contracts(limit: 1) { nodes { id } } }`,
      `{ worker(id: "${workerId}") { name } }`,
      `{ myContracts { id } contract(id: "${id}") { title } }`,
      `{ _entities(representations: [{ __typename: "Contract", id: "${id}" }]) { ... on Contract { title } } }`,
      `{ _entities(representations: [{ __typename: "Worker", id: "${workerId}" }]) { ... on Worker { name } } }`,
      `mutation { signContract(id: "${id}") { id } }`,
      `mutation { sandboxSignAsWorker(id: "${id}") { id } }`,
      `mutation { cancelContract(id: "${id}", reason: "r") { id } }`,
      `mutation { updateWorker(id: "${workerId}", name: "W") { id } }`,
    ];
    for (const document of documents) {
      expect(codes(await contracts.graphql(wanda, document)), document).toEqual(['INSUFFICIENT_SCOPE']);
    }
  });
});

describe("a worker's signature", () => {
  it('a worker signs the text they read, once, and the way of signing is recorded', async () => {
    const { team, id, wanda } = await contractAfter(SENT);
    const { digest } = (await mine(wanda, id)) as { digest: string };
    const wrong = await contracts.graphql(wanda, SIGN, { id, digest: 'f'.repeat(64) });
    expect(codes(wrong)).toEqual(['STALE_RESOURCE_VERSION']);
    expect(codes(await contracts.graphql(wanda, SIGN, { id, digest: '' }))).toEqual(['VALIDATION_FAILED']);
    const once = { id, digest, operationId: newId() };
    const signed = await must(contracts, wanda, SIGN, once);
    expect(signed).toMatchObject({ status: 'pending_signature', workerSignedAt: expect.any(String) as string });
    expect(await must(contracts, wanda, SIGN, once)).toEqual(signed);
    const agreement = await must(
      contracts,
      team,
      'query ($id: ID!) { contract(id: $id) { agreement { signatures { side signedBy { id } } } } }',
      { id },
    );
    const by = { id: wanda.actor.principalId };
    expect(agreement).toEqual({ agreement: { signatures: [{ side: 'worker', signedBy: by }] } });
    const proof = {
      email: 'wanda@example.com',
      clientAddress: '192.0.2.7',
      browser: 'Firefox',
      hasSecondFactor: false,
    };
    expect(await contracts.proofOf(id)).toEqual(proof);
    await must(contracts, team, 'mutation ($id: ID!) { signContract(id: $id) { id } }', { id });
    expect(await mine(wanda, id)).toMatchObject({ status: 'signed' });
  });

  it('a worker needs a recent password to sign', async () => {
    const { id, wanda, workerId } = await contractAfter(SENT);
    const { digest } = (await mine(wanda, id)) as { digest: string };
    const long = worker(wanda.actor.workspaceId, workerId, false);
    const refused = await contracts.graphql(long, SIGN, { id, digest });
    expect(refused.errors?.[0]?.extensions).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      details: [{ path: 'password', code: 'not_recent' }],
    });
  });

  it('no admin and no internal team can sign as the worker', async () => {
    const { team, id } = await contractAfter(SENT);
    const { workspaceId } = team.actor;
    for (const by of [team, person(workspaceId, 'admin')]) {
      const answer = await contracts.graphql(by, SIGN, { id, digest: 'f'.repeat(64) });
      expect(codes(answer)).toEqual(['INSUFFICIENT_SCOPE']);
    }
  });
});

describe("a worker's request for changes", () => {
  it('a request for changes needs a reason and leaves the contract as it is', async () => {
    const { team, id, wanda } = await contractAfter(SENT);
    expect(codes(await contracts.graphql(wanda, ASK, { id, reason: '  ' }))).toEqual(['VALIDATION_FAILED']);
    const before = await must(contracts, team, 'query ($id: ID!) { contract(id: $id) { status updatedAt revision } }', {
      id,
    });
    const asked = await must(contracts, wanda, ASK, { id, reason: ' Four days, not five. ' });
    expect(asked).toEqual({ status: 'pending_signature', changesAsked: 'Four days, not five.' });
    const after = 'query ($id: ID!) { contract(id: $id) { status updatedAt revision agreement { changesAsked } } }';
    const agreement = { changesAsked: 'Four days, not five.' };
    expect(await must(contracts, team, after, { id })).toEqual({ ...before, agreement });
  });

  it('a request for changes is over once the worker signs the text', async () => {
    const { team, id, wanda } = await contractAfter(SENT);
    await must(contracts, wanda, ASK, { id, reason: 'Four days, not five.' });
    const { digest } = (await mine(wanda, id)) as { digest: string };
    await must(contracts, wanda, SIGN, { id, digest });
    const query = 'query ($id: ID!) { contract(id: $id) { agreement { changesAsked } } }';
    expect(await must(contracts, team, query, { id })).toEqual({ agreement: { changesAsked: null } });
    expect(await mine(wanda, id)).toMatchObject({ changesAsked: 'Four days, not five.' });
  });

  it('a request for changes is refused after the signature', async () => {
    const { id, wanda } = await contractAfter(SENT);
    const { digest } = (await mine(wanda, id)) as { digest: string };
    await must(contracts, wanda, SIGN, { id, digest });
    expect(codes(await contracts.graphql(wanda, ASK, { id, reason: 'Too late.' }))).toEqual(['INVALID_STATE']);
  });
});

describe('new terms', () => {
  const CHANGE = `mutation ($id: ID!, $rate: Decimal, $days: Int, $auto: Boolean) {
    changeContractTerms(id: $id, rate: $rate, paymentDueDays: $days, autoPayEnabled: $auto) {
      details { terms { rate paymentDueDays autoPayEnabled } } agreement { amendments { number holdsFrom digest text } } } }`;
  const SIGN_TERMS = `mutation ($id: ID!, $number: Int!, $digest: String!) {
    signMyAmendment(id: $id, number: $number, digest: $digest, clientAddress: "192.0.2.7", browser: "Firefox") { id } }`;
  const WITHDRAW = 'mutation ($id: ID!, $number: Int!) { withdrawContractAmendment(id: $id, number: $number) { id } }';
  const ACTIVE = 6;

  interface Changed {
    details: { terms: { rate: string; paymentDueDays: number; autoPayEnabled: boolean } };
    agreement: { amendments: { number: number; holdsFrom: string | null; digest: string; text: string }[] };
  }

  /** An active contract whose worker signs in, and changes of it. */
  async function scene() {
    const found = await contractAfter(ACTIVE);
    const { team, id, workerId } = found;
    contracts.signedIn.add(workerId);
    const change = async (terms: object): Promise<Changed> =>
      (await must(contracts, team, CHANGE, { id, ...terms })) as unknown as Changed;
    return { ...found, change };
  }

  it('of pay hold from the signature of a worker who signs in; other terms at once', async () => {
    const { id, wanda, change } = await scene();
    const { details, agreement } = await change({ rate: '30', auto: false });
    expect(details.terms).toMatchObject({ rate: '85.50', autoPayEnabled: false });
    const open = agreement.amendments.find(({ holdsFrom }) => holdsFrom === null)!;
    expect(open.text).toContain('Holds from the day on which the worker signs it');
    expect(open.text).toContain('Rate: 30 EUR (until then 85.50 EUR)');
    expect(contracts.told('contract.changed', id).at(-1)).toMatchObject({ rate: '85.50' });

    const wrong = { id, number: open.number, digest: 'f'.repeat(64) };
    expect(codes(await contracts.graphql(wanda, SIGN_TERMS, wrong))).toEqual(['STALE_RESOURCE_VERSION']);
    await must(contracts, wanda, SIGN_TERMS, { ...wrong, digest: open.digest });
    expect(contracts.told('contract.changed', id).at(-1)).toMatchObject({ rate: '30' });
    const again = { ...wrong, digest: open.digest };
    expect(codes(await contracts.graphql(wanda, SIGN_TERMS, again))).toEqual(['INVALID_STATE']);
  });

  it('of pay are open one at a time, and are withdrawn by the business', async () => {
    const { team, id, wanda, change } = await scene();
    const { agreement } = await change({ days: 60 });
    const { number, digest } = agreement.amendments[0]!;
    expect(codes(await contracts.graphql(team, CHANGE, { id, rate: '1' }))).toEqual(['INVALID_STATE']);
    await must(contracts, team, WITHDRAW, { id, number });
    expect(codes(await contracts.graphql(wanda, SIGN_TERMS, { id, number, digest }))).toEqual(['INVALID_STATE']);
    expect(codes(await contracts.graphql(team, WITHDRAW, { id, number }))).toEqual(['INVALID_STATE']);
    expect((await change({ rate: '90' })).agreement.amendments).toHaveLength(2);
  });

  it('of pay wait for the open ones also after the access of the worker has ended: they could sign those later', async () => {
    const { team, id, workerId, wanda, change } = await scene();
    const { agreement } = await change({ rate: '60' });
    const { number, digest } = agreement.amendments[0]!;
    contracts.signedIn.delete(workerId);
    expect(codes(await contracts.graphql(team, CHANGE, { id, rate: '40' }))).toEqual(['INVALID_STATE']);
    expect((await change({ auto: false })).details.terms).toMatchObject({ rate: '85.50', autoPayEnabled: false });
    await must(contracts, team, WITHDRAW, { id, number });
    await change({ rate: '40' });
    expect(codes(await contracts.graphql(wanda, SIGN_TERMS, { id, number, digest }))).toEqual(['INVALID_STATE']);
    expect(contracts.told('contract.changed', id).at(-1)).toMatchObject({ rate: '40' });
  });

  it.each([
    ['is cancelled', 'cancelContract(id: $id, reason: "r")'],
    ['begins to end', 'startContractOffboarding(id: $id, endDate: "2027-06-30")'],
  ])('are withdrawn when the contract %s, and wait for the worker no longer', async (_, step) => {
    const { team, id, wanda, change } = await scene();
    await change({ rate: '30' });
    const open = `query ($id: ID!) { myContract(id: $id) { openAmendment amendments { isOpen } } }`;
    expect(await must(contracts, wanda, open, { id })).toEqual({ openAmendment: 1, amendments: [{ isOpen: true }] });
    await must(contracts, team, `mutation ($id: ID!) { ${step} { id } }`, { id });
    expect(await must(contracts, wanda, open, { id })).toEqual({ openAmendment: null, amendments: [] });
    const actions = (await contracts.audited(team.actor.workspaceId)).map(({ action }) => action);
    expect(actions.slice(-2)).toContain('contract.amendment-withdrawn');
  });

  it('of pay are signed by their own worker alone', async () => {
    const { team, id, change } = await scene();
    const { agreement } = await change({ rate: '30' });
    const { number, digest } = agreement.amendments[0]!;
    const stranger = worker(team.actor.workspaceId, newId());
    expect(codes(await contracts.graphql(stranger, SIGN_TERMS, { id, number, digest }))).toEqual(['NOT_FOUND']);
    expect(codes(await contracts.graphql(team, SIGN_TERMS, { id, number, digest }))).toEqual(['INSUFFICIENT_SCOPE']);
  });

  it('hold at once for a worker who does not sign in', async () => {
    const { team, id } = await contractAfter(ACTIVE);
    const changed = (await must(contracts, team, CHANGE, { id, rate: '30' })) as unknown as Changed;
    expect(changed.details.terms.rate).toBe('30');
    expect(changed.agreement.amendments[0]!.holdsFrom).not.toBeNull();
  });
});
