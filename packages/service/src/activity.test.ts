import { expect, it } from 'vitest';
import { fieldChanges } from './activity.js';

it.each([
  [{ role: { from: 'member', to: 'admin' } }, ['role'], [{ name: 'role', from: 'member', to: 'admin' }]],
  [
    { from: { name: 'A', country: 'NL' }, to: { name: 'B', country: 'NL' } },
    ['name', 'country'],
    [{ name: 'name', from: 'A', to: 'B' }],
  ],
  [{ scopes: ['read', 'contracts:write'] }, ['scopes'], [{ name: 'scopes', from: null, to: 'read, contracts:write' }]],
  [{ gross: { amount: '12.50', currency: 'EUR' } }, ['gross'], [{ name: 'gross', from: null, to: '12.50 EUR' }]],
  [
    { autoPayEnabled: { from: true, to: false } },
    ['autoPayEnabled'],
    [{ name: 'autoPayEnabled', from: 'true', to: 'false' }],
  ],
  [{ endDate: { from: '2027-01-01', to: null } }, ['endDate'], [{ name: 'endDate', from: '2027-01-01', to: null }]],
  [
    { destination: 'DE89 3704', payoutMethod: 'wise' },
    ['payoutMethod'],
    [{ name: 'payoutMethod', from: null, to: 'wise' }],
  ],
  [{ draft: { title: 'x' } }, ['draft', 'missing'], []],
  [null, ['role'], []],
])('shows of %j only %j', (change, names, facts) => {
  expect(fieldChanges(change, names)).toEqual(facts);
});
