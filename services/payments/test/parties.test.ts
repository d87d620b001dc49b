import { newId, systemOrigin } from '@payroll/kernel';
import type { DomainEvent } from '@payroll/commands';
import { afterAll, describe, expect, it } from 'vitest';
import { processPayment } from '../src/commands/begin-payout.js';
import type { PartyFreshness } from '../src/domain/payout.js';
import { refreshParties } from '../src/payouts/refresh-parties.js';
import { Scene, eventOf } from './support/scene.js';
import { contractBody, TestWorkspace } from './support/test-workspace.js';

const scene = await Scene.open('payments_parties');
afterAll(() => scene[Symbol.asyncDispose]());

/** The owner returns the event when asked but does not deliver it, as while it is in transit. */
const keepElsewhere = (event: DomainEvent) => scene.elsewhere.set(`${event.type}/${event.aboutId}`, event);

const businessIs = ({ id }: TestWorkspace, kybStatus: 'verified' | 'rejected', revision: number): DomainEvent =>
  eventOf('business.changed', id, id, { businessId: id, revision, kybStatus, name: 'Northwind', country: 'DE' });

describe('contract and business data of a payment', () => {
  it('are fetched if their events have not arrived, so that a delay fails no payment', async () => {
    const workspace = new TestWorkspace(scene);
    await workspace.fund('100');
    const contract = { contractId: newId(), workerId: newId() };
    const payee = await workspace.payee(contract.workerId);
    await workspace.verify(payee);
    const changed = eventOf('contract.changed', workspace.id, contract.contractId, contractBody(contract));
    keepElsewhere(changed);
    keepElsewhere(businessIs(workspace, 'verified', 1));
    const id = await workspace.milestone(contract, '10.00');
    await scene.round();
    expect((await workspace.payment(id)).status).toBe('completed');
    await scene.arrive(changed);
  });

  it('are fetched every time: an earlier event without a worker does not count', async () => {
    const workspace = await TestWorkspace.open(scene);
    await workspace.fund('100');
    const contract = await workspace.contract('sandbox:iban');
    const nobody = { ...contract, contractId: newId(), workerId: null };
    await scene.hear('contract.changed', workspace.id, nobody.contractId, contractBody(nobody));
    const changed = contractBody({ ...nobody, workerId: contract.workerId }, 2);
    keepElsewhere(eventOf('contract.changed', workspace.id, nobody.contractId, changed));
    const id = await workspace.milestone(nobody, '10.00');
    await scene.round();
    expect((await workspace.payment(id)).status).toBe('completed');
  });

  it('are fetched every time: a business that was rejected is not paid for later approvals', async () => {
    const workspace = await TestWorkspace.open(scene);
    await workspace.fund('100');
    const contract = await workspace.contract('sandbox:iban');
    keepElsewhere(businessIs(workspace, 'rejected', 2));
    const milestone = await workspace.milestone(contract, '10.00');
    const byHand = await workspace.timesheet(contract, '20.00', { autoPay: false });
    await scene.round();
    await workspace.act('requestPayout', byHand);
    for (const id of [milestone, byHand]) {
      const failed = { status: 'failed', failureReason: 'business_unverified' };
      expect(await workspace.payment(id)).toMatchObject(failed);
      expect(await workspace.paidOut(id)).toEqual([]);
    }
  });

  it.each(['contract.changed', 'business.changed'] as const)(
    'the payment stays pending while the owner of %s cannot be reached, and is paid afterwards',
    async (type) => {
      const workspace = await TestWorkspace.open(scene);
      await workspace.fund('100');
      const id = await workspace.milestone(await workspace.contract('sandbox:iban'), '10.00');
      const byHand = await workspace.timesheet(await workspace.contract('sandbox:iban'), '20.00', { autoPay: false });
      scene.unreachable.add(type);
      await scene.round();
      const asked = await workspace.act('requestPayout', byHand);
      scene.unreachable.delete(type);
      expect(asked.errors?.[0]?.extensions.code).toBe('SERVICE_UNAVAILABLE');
      expect(await workspace.payment(id)).toMatchObject({ status: 'pending', failureReason: null });
      await scene.round();
      expect((await workspace.payment(id)).status).toBe('completed');
    },
  );

  it('the payment stays pending until an event of its contract and business has arrived', async () => {
    const workspace = new TestWorkspace(scene);
    const contract = { contractId: newId(), workerId: newId() };
    const id = await workspace.milestone(contract, '10.00');
    await scene.round();
    expect(await workspace.payment(id)).toMatchObject({ status: 'pending', failureReason: null });
  });

  it("are used only while fresh and no older than the owners' answers", async () => {
    const workspace = await TestWorkspace.open(scene);
    await workspace.fund('100');
    const paymentId = await workspace.milestone(await workspace.contract('sandbox:iban'), '10.00');
    const learned = await refreshParties(scene.parts, workspace.id, paymentId);
    const begin = (late: Partial<PartyFreshness>) => {
      const runner = systemOrigin(workspace.id, 'runner', newId());
      return scene.commands.run(processPayment, { paymentId, learned: { ...learned!, ...late } }, runner);
    };
    const unavailable = { code: 'SERVICE_UNAVAILABLE' };
    await expect(begin({ businessRevision: learned!.businessRevision + 1 })).rejects.toMatchObject(unavailable);
    await expect(begin({ contractRevision: learned!.contractRevision + 1 })).rejects.toMatchObject(unavailable);
    await scene.clock.pass(60_000);
    await expect(begin({})).rejects.toMatchObject(unavailable);
    expect((await workspace.payment(paymentId)).status).toBe('pending');
  });

  it('come from the newest event, in any order of arrival', async () => {
    const workspace = new TestWorkspace(scene);
    await workspace.fund('100');
    const contract = await workspace.contract('sandbox:iban');
    const about = { businessId: workspace.id, name: 'Northwind', country: 'DE' };
    await scene.hear('business.changed', workspace.id, workspace.id, { ...about, revision: 9, kybStatus: 'verified' });
    await scene.hear('business.changed', workspace.id, workspace.id, { ...about, revision: 8, kybStatus: 'rejected' });
    const nobody = contractBody({ ...contract, workerId: null }, 0);
    await scene.hear('contract.changed', workspace.id, contract.contractId, nobody);
    const id = await workspace.milestone(contract, '10.00');
    await scene.round();
    expect((await workspace.payment(id)).status).toBe('completed');
  });
});
