import type { PaymentMethod } from '@payroll/kernel';
import { describe, expect, it } from 'vitest';
import { comparable, enteredDestination } from './destination.js';

const wallet = `0x${'aB'.repeat(20)}`;

describe('a payout destination', () => {
  it.each<[PaymentMethod, string]>([
    ['bank_transfer', 'DE89 3704 0044 0532 0130 00'],
    ['bank_transfer', ' de89370400440532013000 '],
    ['bank_transfer', 'NO93 8601 1117 947'],
    ['bank_transfer', 'Routing 021000021, account 1234567890'],
    ['bank_transfer', '12-34-56 12345678'],
    ['wise', 'ada@example.com'],
    ['wise', '@ada.lovelace'],
    ['wise', 'GB29 NWBK 6016 1331 9268 19'],
    ['payoneer', 'ada@example.com'],
    ['payoneer', '30012345'],
    ['usdc_wallet', wallet],
    ['usdc_wallet', '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'],
    ['usdc_wallet', `G${'A'.repeat(55)}`],
    ['other', 'at the counter'],
  ])('accepts for %s: %s', (method, text) => {
    expect(enteredDestination(method, text, 'live')).toBe(text.trim());
  });

  it.each<[PaymentMethod, string]>([
    ['bank_transfer', 'hello'],
    ['bank_transfer', 'DE89 3704 0044 0532 0130 01'],
    ['bank_transfer', 'DE89 3704 0044 0532 0130'],
    ['bank_transfer', 'XX12 3456 7890 1234'],
    ['bank_transfer', 'ada@example.com'],
    ['bank_transfer', '1234'],
    ['wise', 'hello'],
    ['payoneer', 'hello'],
    ['usdc_wallet', 'hello'],
    ['usdc_wallet', wallet.slice(0, -1)],
    ['usdc_wallet', 'DE89370400440532013000'],
  ])('refuses for %s: %s', (method, text) => {
    const refusal = expect.objectContaining({ details: [{ path: 'destination', code: `no_${method}` }] }) as Error;
    expect(() => enteredDestination(method, text, 'test')).toThrow(refusal);
  });

  it.each([[''], [' '], ['1'.repeat(255)], ['12345\u0000678']])('refuses %j as an account', (text) => {
    expect(() => enteredDestination('other', text, 'live')).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED' }),
    );
  });

  it('compares an IBAN in groups and in any case, a wallet in its own case', () => {
    expect(comparable('de89 3704-0044 0532 0130 00')).toBe(comparable('DE89370400440532013000'));
    expect(comparable(wallet.toLowerCase())).not.toBe(comparable(wallet));
  });

  it('accepts sandbox destinations in a test deployment only', () => {
    expect(enteredDestination('bank_transfer', 'sandbox:declines-once', 'test')).toBe('sandbox:declines-once');
    expect(() => enteredDestination('bank_transfer', 'sandbox:declines', 'live')).toThrow('IBAN');
    expect(() => enteredDestination('bank_transfer', 'sandbox:hello world', 'test')).toThrow('IBAN');
  });
});
