import { PAYMENTS_QUESTION } from '@payroll/events';
import { newId } from '@payroll/kernel';
import { afterAll, expect, it } from 'vitest';
import { answerMissing } from '../src/queries/answers.js';
import { Scene } from './support/scene.js';
import { TestWorkspace } from './support/test-workspace.js';

const scene = await Scene.open('payments_missing');
afterAll(() => scene[Symbol.asyncDispose]());

it('counts the requested payments that it does not have, each in its own workspace', async () => {
  const [one, other] = [await TestWorkspace.open(scene), await TestWorkspace.open(scene)];
  const paymentId = await one.timesheet(await one.contract('sandbox:iban'), '20.00', { autoPay: false });
  const missing = async (...asked: [workspaceId: string, paymentId: string][]): Promise<number> => {
    const question = { workspaceIds: asked.map(([id]) => id), paymentIds: asked.map(([, id]) => id) };
    return (await answerMissing(scene.em, question)).missing;
  };
  expect(await missing([one.id, paymentId])).toBe(0);
  expect(await missing([one.id, paymentId], [one.id, newId()], [other.id, paymentId])).toBe(2);
  expect(() => PAYMENTS_QUESTION.read({ workspaceIds: [one.id], paymentIds: [] })).toThrow(TypeError);
  expect(() => PAYMENTS_QUESTION.read({ workspaceIds: ['x'], paymentIds: ['y'] })).toThrow(TypeError);
});
