import type { Deployment } from '@payroll/runtime';
import { isEmail, type PaymentMethod, enteredText, invalid } from '@payroll/kernel';
import { electronicFormatIBAN, isValidIBAN } from 'ibantools';

const MAX_LENGTH = 254;

/** The scripts of the sandbox provider (see its README). */
const TEST_DESTINATION = /^sandbox:[a-z0-9-]+$/;

/**
 * Trims and validates. Finds a wrong account now rather than days later at the provider: the second person only
 * compares with what was entered.
 * @throws DomainError `VALIDATION_FAILED` unless it has a form that the method can pay to
 */
export function enteredDestination(method: PaymentMethod, text: string, deployment: Deployment): string {
  const destination = enteredText('destination', text, MAX_LENGTH);
  if (deployment === 'test' && TEST_DESTINATION.test(destination)) return destination;
  const { is, form } = FORMS[method];
  if (is(destination)) return destination;
  throw invalid('destination', `no_${method}`, `destination must be ${form}.`);
}

/** The form in which destinations are compared: an IBAN may be typed in groups and in small letters, a wallet's may not. */
export function comparable(destination: string): string {
  const iban = electronicFormatIBAN(destination) ?? '';
  return isValidIBAN(iban) ? iban : destination.replaceAll(/\s/g, '');
}

const FORMS: Readonly<Record<PaymentMethod, { is: (text: string) => boolean; form: string }>> = {
  bank_transfer: { is: isBankAccount, form: 'an IBAN, or another account number with the code of its bank' },
  wise: {
    is: (text) => isEmail(text) || /^@[\w.-]{3,}$/.test(text) || isBankAccount(text),
    form: 'an email address, a Wisetag such as @ada, or a bank account',
  },
  payoneer: { is: (text) => isEmail(text) || /^\d{5,20}$/.test(text), form: 'an email address or a customer id' },
  usdc_wallet: { is: isWallet, form: 'the address of a wallet' },
  other: { is: () => true, form: 'any text' },
};

/**
 * Checks the check digits of an IBAN. Account numbers of other countries have no common check, so only digits are
 * counted.
 */
function isBankAccount(text: string): boolean {
  const iban = electronicFormatIBAN(text) ?? '';
  if (/^[A-Z]{2}\d{2}/.test(iban)) return isValidIBAN(iban);
  return /^[\w\s.,:/#-]+$/.test(text) && (text.match(/\d/g) ?? []).length >= 6;
}

/** Addresses of Ethereum-compatible chains, Solana, Stellar or Algorand: the chains on which Circle issues USDC. */
function isWallet(text: string): boolean {
  return (
    /^0x[0-9a-fA-F]{40}$/.test(text) || /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) || /^[A-Z2-7]{56,58}$/.test(text)
  );
}
