import { unavailable } from '@payroll/kernel';
import { expect, it } from 'vitest';
import type { WorkspaceContext } from '../../workspace-context.js';
import { readMilestone, readPayment } from './operations.js';
import { readPiece } from './work-item.js';

const milestone = {
  id: 'm',
  version: 'v',
  status: 'approved',
  paymentId: 'p',
  title: 'Site',
  description: null,
  note: null,
  amount: { amount: '500.00', currency: 'EUR' },
  dueDate: null,
  reviews: [],
};

const runOf = (payment: () => unknown): Pick<WorkspaceContext, 'run'> => {
  const run = async (operation: unknown): Promise<unknown> => {
    await Promise.resolve();
    if (operation === readMilestone) return { milestone };
    if (operation === readPayment) return { payment: payment() };
    throw new TypeError('It asks for nothing else.');
  };
  return { run: run as WorkspaceContext['run'] };
};

it('approved work can be read while payments does not answer, and before its payment is created', async () => {
  const down = () => {
    throw unavailable('Payments');
  };
  expect(await readPiece(runOf(down), 'milestone', 'm')).toMatchObject({ paymentId: 'p', payment: null });
  expect(
    await readPiece(
      runOf(() => null),
      'milestone',
      'm',
    ),
  ).toMatchObject({ paymentId: 'p', payment: null });
  const pending = { status: 'pending' };
  expect(
    await readPiece(
      runOf(() => pending),
      'milestone',
      'm',
    ),
  ).toMatchObject({ payment: pending });
});
