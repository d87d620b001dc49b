import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { ask } from '@payroll/tools/demo/graphql-client';
import * as operation from '@payroll/tools/demo/operations';
import type { Schemas } from '../support/client/client.js';
import { allPages, internal, must, newIntegrator, once, refusal } from './integrator.js';

const { v1 } = await newIntegrator();

const create = async (body: Schemas['ContractDraft']) => must(await v1.POST('/contracts', { params: once(), body }));

const list = (query: object) => (cursor?: string) =>
  v1.GET('/contracts', { params: { query: { ...query, ...(cursor !== undefined && { cursor }) } } });

it('a draft with only a title is a contract of a fixed contractor', async () => {
  expect(await create({ title: 'Only a title' })).toMatchObject({
    title: 'Only a title',
    employmentType: 'contractor',
    contractType: 'contractor_fixed',
    status: 'draft',
    worker: { id: null, name: null },
    startDate: null,
    endDate: null,
    deletedAt: null,
  });
});

it('a draft with every field of the schema reads back with its creator terms and deliverables', async () => {
  const everything: Schemas['ContractDraft'] = {
    title: 'Everything 🎬',
    professionalEmail: 'cleo@creator.example',
    description: 'Six videos',
    employmentType: 'contractor',
    contractType: 'contractor_creator',
    countryOfEmployment: 'FR',
    startDate: '2028-02-29',
    endDate: '2028-12-31',
    terminationDate: '2028-12-31',
    noticePeriodDays: 30,
    department: 'marketing',
    seniority: 'lv3',
    employmentSubtype: 'part_time',
    specialClauses: 'None',
    serviceTypes: ['video'],
    skills: ['editing', 'sound'],
    tools: [],
    disputeResolutionMethod: 'court',
    governingCountry: 'FR',
    governingStateProvince: 'Île-de-France',
    workSchedule: 'Any',
    compensation: { type: 'per_task', currency: 'EUR', rate: 0.1, signingBonus: 0, effectiveDate: '2028-02-29' },
    invoicingSettings: { paymentMethod: 'wise', paymentDueDays: 14, autoApproveAfterDays: 5, autoPayEnabled: false },
    benefits: { bonusAmount: 0.01, bonusFrequency: 'annual', commissionPercentage: 100, timeOffDays: 0 },
    milestones: [{ title: 'First cut', amount: 1234.56, documentIds: [randomUUID()] }],
    creatorTerms: {
      exclusivity: 'fixed_term',
      exclusivityEndDate: '2028-12-31',
      ipOwnership: 'creator',
      usageNote: null,
    },
    creatorDeliverables: [
      { platform: 'tiktok', format: 'reel', brief: 'Behind the scenes', amount: 99.9, dueDate: null, sortOrder: 2 },
      { platform: 'x', format: 'post', brief: 'Announcement', amount: 1e2, dueDate: '2028-03-01', sortOrder: 1 },
    ],
  };
  const { id } = await create(everything);
  const contract = must(await v1.GET('/contracts/{id}', { params: { path: { id } } }));
  expect(contract).toMatchObject({ title: 'Everything 🎬', startDate: '2028-02-29', endDate: '2028-12-31' });
  expect(contract.creator?.terms).toEqual(everything.creatorTerms);
  expect(contract.creator?.deliverables).toMatchObject([
    { platform: 'x', amount: { amount: '100.00', currency: 'EUR' }, dueDate: '2028-03-01', sortOrder: 1 },
    { platform: 'tiktok', amount: { amount: '99.90', currency: 'EUR' }, dueDate: null, sortOrder: 2 },
  ]);
  const milestones = must(await v1.GET('/contracts/{id}/milestones', { params: { path: { id } } })).data;
  expect(milestones).toMatchObject([
    { title: 'First cut', description: null, amount: { amount: '1234.56', currency: 'EUR' }, status: 'pending' },
  ]);
});

it('a reference finds its draft for the principal that set it, and can be used once', async () => {
  const externalReference = 'invoice/7 & co';
  const { id } = await create({ title: 'Referred to', externalReference });
  const query = { externalReference };
  expect(must(await list(query)()).data).toMatchObject([{ id }]);
  const again = await v1.POST('/contracts', { params: once(), body: { title: 'Twice', externalReference } });
  expect(refusal(again)).toBe('409 EXTERNAL_REFERENCE_EXISTS');

  const { v1: other } = await newIntegrator();
  expect(must(await other.GET('/contracts', { params: { query } })).data).toEqual([]);
  const theirs = await other.POST('/contracts', { params: once(), body: { title: 'Theirs', externalReference } });
  expect(theirs.response.status).toBe(201);
});

it('pages of one, two and a hundred visit the same contracts in the same order', async () => {
  const made: Schemas['ContractSummary'][] = [];
  for (const n of [1, 2, 3, 4, 5]) made.push(await create({ title: `Page ${n}` }));
  const ids = made.map(({ id }) => id);
  const { updatedAt: updatedSince } = made[0]!;
  for (const limit of [1, 2, 100]) {
    expect((await allPages(list({ updatedSince, limit }))).map(({ id }) => id)).toEqual(ids);
  }
  const newest = must(await list({ status: 'draft', limit: 2 })());
  const next = must(await list({ status: 'draft', limit: 3 })(newest.nextCursor!));
  expect([...newest.data, ...next.data].map(({ id }) => id)).toEqual(ids.toReversed());
});

it('updatedSince returns changes from that moment on, inclusive, oldest first', async () => {
  const first = await create({ title: 'Before' });
  const second = await create({ title: 'Since' });
  const third = await create({ title: 'After' });
  const updatedSince = second.updatedAt;
  const changed = await allPages(list({ updatedSince, limit: 1 }));
  expect(changed.map(({ id }) => id)).toEqual([second.id, third.id]);
  expect(changed.map(({ id }) => id)).not.toContain(first.id);
});

it('a deleted contract is a tombstone: always readable by id, in lists on request', async () => {
  const { id } = await create({ title: 'Gone', externalReference: 'gone' });
  await ask(internal(), operation.DELETE_CONTRACT, { id });
  const query = { externalReference: 'gone' };
  expect(must(await v1.GET('/contracts/{id}', { params: { path: { id } } })).deletedAt).toEqual(expect.any(String));
  expect(must(await list(query)()).data).toEqual([]);
  expect(must(await list({ ...query, includeDeleted: 'false' })()).data).toEqual([]);
  expect(must(await list({ ...query, includeDeleted: 'true' })()).data).toMatchObject([{ id }]);
});

it('a cursor is valid for its own filters only', async () => {
  await create({ title: 'One more' });
  const { nextCursor } = must(await list({ status: 'draft', limit: 1 })());
  expect(must(await list({ status: 'draft', limit: 5 })(nextCursor!)).data.length).toBeGreaterThan(0);
  expect(refusal(await list({ status: 'active' })(nextCursor!))).toBe('400 INVALID_REQUEST');
  expect(refusal(await list({})(`${nextCursor}A`))).toBe('400 INVALID_REQUEST');
});
