import { newId, type Origin } from '@payroll/kernel';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { person, worker } from './support/person.js';
import { Scene, staff, type GraphqlAnswer, codeOf } from './support/scene.js';
import { TestWorkspace } from './support/test-workspace.js';

let workspace: TestWorkspace;
const scene = await Scene.open('payments_my_payee');
beforeEach(async () => {
  workspace = await TestWorkspace.open(scene);
});
afterAll(() => scene[Symbol.asyncDispose]());

const IBAN = 'DE02 1203 0000 0000 2020 51';
const FIELDS = 'holder payoutMethod destinationEnding verificationStatus version';
const ENTER = `mutation ($holder: String!, $destination: String!, $seen: String, $operationId: ID) {
  enterMyPayee(holder: $holder, payoutMethod: bank_transfer, destination: $destination, expectedVersion: $seen,
    operationId: $operationId) { ${FIELDS} } }`;

interface Mine {
  version: string;
}

const enter = (by: Origin, given: object = {}): Promise<GraphqlAnswer> =>
  workspace.send(ENTER, { holder: 'Wanda Weber', destination: IBAN, ...given }, by);

async function mine(by: Origin): Promise<Mine | null> {
  const { data, errors } = await workspace.send(`{ myPayee { ${FIELDS} } }`, {}, by);
  expect(errors).toBeUndefined();
  return data!['myPayee'] as Mine | null;
}

const payeeOf = async (workerId: string): Promise<{ id: string; holder: string | null }> =>
  (
    await workspace.ask<{ nodes: { id: string; holder: string | null }[] }>(
      'query ($w: ID) { payees(workerId: $w) { nodes { id holder } } }',
      { w: workerId },
    )
  ).nodes[0]!;

describe('a worker', () => {
  it('enters where they are paid; staff verify it and see whose account it is; then it is paid to', async () => {
    const contract = await workspace.contract();
    const wanda = worker(workspace.id, contract.workerId);
    expect(await mine(wanda)).toBeNull();
    const once = { seen: null, operationId: newId() };
    const entered = await enter(wanda, once);
    const shown = { holder: 'Wanda Weber', payoutMethod: 'bank_transfer', destinationEnding: '2051' };
    expect(entered.data).toMatchObject({ enterMyPayee: { ...shown, verificationStatus: 'unverified' } });
    expect((await enter(wanda, once)).data).toEqual(entered.data);
    const { id, holder } = await payeeOf(contract.workerId);
    expect(holder).toBe('Wanda Weber');
    const verified = await workspace.verify(id);
    expect(verified.data).toMatchObject({ verifyPayee: { changedBy: 'wanda@example.com' } });
    await workspace.fund('10');
    const paymentId = await workspace.milestone(contract, '10');
    await scene.round();
    expect(await workspace.payment(paymentId)).toMatchObject({ status: 'completed' });
  });

  it('changes the version that they saw, and no other', async () => {
    const wanda = worker(workspace.id, newId());
    await enter(wanda, { seen: null });
    const { version } = (await mine(wanda))!;
    expect(codeOf(await enter(wanda, { seen: null }))).toBe('STALE_RESOURCE_VERSION');
    const changed = await enter(wanda, { seen: version, destination: 'DE89370400440532013000' });
    expect(changed.data).toMatchObject({ enterMyPayee: { destinationEnding: '3000' } });
    expect(codeOf(await enter(wanda, { seen: version }))).toBe('STALE_RESOURCE_VERSION');
  });

  it('gives the password again first, a holder, and a valid account', async () => {
    const workerId = newId();
    expect(codeOf(await enter(worker(workspace.id, workerId, false)))).toBe('INSUFFICIENT_SCOPE');
    const wanda = worker(workspace.id, workerId);
    for (const wrong of [{ holder: ' ' }, { holder: 'x'.repeat(141) }, { destination: 'DE02120300000000202052' }]) {
      expect(codeOf(await enter(wanda, wrong))).toBe('VALIDATION_FAILED');
    }
    expect(await mine(wanda)).toBeNull();
  });

  it('sees and changes no details of another worker or workspace', async () => {
    const workerId = newId();
    await enter(worker(workspace.id, workerId));
    for (const stranger of [worker(workspace.id, newId()), worker(newId(), workerId)]) {
      expect(await mine(stranger)).toBeNull();
      await enter(stranger, { destination: 'DE89370400440532013000' });
    }
    expect(await mine(worker(workspace.id, workerId))).toMatchObject({ destinationEnding: '2051' });
  });
});

describe('once a worker signs in, payout details are entered by them alone', () => {
  const REGISTER = `mutation ($w: ID!) {
    registerPayee(workerId: $w, payoutMethod: bank_transfer, destination: "${IBAN}") { id } }`;
  const CHANGE = `mutation ($id: ID!, $seen: String) {
    changePayee(id: $id, payoutMethod: payoneer, destination: "ada@example.com", expectedVersion: $seen) { id } }`;

  it('and an admin, finance and the back end are refused', async () => {
    const { origin } = workspace;
    const back: Origin = { ...origin, actor: { ...origin.actor, kind: 'service' } as Origin['actor'] };
    const others = [person(workspace.id, 'admin'), staff(workspace.id), back];
    for (const by of others) {
      const workerId = newId();
      const registered = await workspace.send(REGISTER, { w: workerId }, by);
      const { id } = registered.data!['registerPayee'] as { id: string };
      const seen = await workspace.versionOf(id);
      scene.joined.add(workerId);
      const refused = await workspace.send(CHANGE, { id, seen }, by);
      expect(codeOf(refused)).toBe('INVALID_STATE');
      expect(refused.errors?.[0]?.message).toContain('enters their payout details themselves');
      const newcomer = newId();
      scene.joined.add(newcomer);
      expect(codeOf(await workspace.send(REGISTER, { w: newcomer }, by))).toBe('INVALID_STATE');
      scene.joined.delete(workerId);
      expect((await workspace.send(CHANGE, { id, seen }, by)).errors).toBeUndefined();
    }
  });
});

it('the name that an account is in is shown to those who verify it, and to no member, and is not audited', async () => {
  const wanda = worker(workspace.id, newId());
  await enter(wanda, { holder: 'Wanda Unverwechselbar' });
  const holder = '{ payees { nodes { holder } } }';
  expect((await workspace.send(holder, {}, workspace.second)).errors).toBeUndefined();
  for (const by of [person(workspace.id, 'admin'), staff(workspace.id, { team: 'support' }), wanda]) {
    expect(codeOf(await workspace.send(holder, {}, by))).toBe('INSUFFICIENT_SCOPE');
  }
  const audit = await scene.sql(sql`select * from audit_entry where workspace_id = ${workspace.id}`);
  expect(JSON.stringify(audit)).not.toMatch(/Unverwechselbar|2051/);
});
