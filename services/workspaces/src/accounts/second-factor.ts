import type { KeyObject } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { hashSecret } from '@payroll/pages';
import { computed, columns, readOne, sql, rawSql, write } from '@payroll/store';
import type { ReadAccount, Subject } from '../domain/account.js';
import { SealedRing } from '../oauth/sealed-box.js';
import { AccountTable, SecondFactorTable } from '../store/account-tables.js';
import { countAttempt, refundAttempt } from './throttle.js';
import { Secret, TOTP } from 'otpauth';

/** An operator's reset ends a factor a day later. */
const IS_LIVE = '(second_factor.reset_at is null or second_factor.reset_at > now())';

/** SQL: whether the account of the row `account` has one. */
export const HAS_SECOND_FACTOR = `exists (
  select from second_factor where second_factor.account_id = account.id and ${IS_LIVE})`;

/** SQL: whether the row `business` requires one of its admins, and the account of the row `account` has none. */
export const LACKS_REQUIRED_FACTOR = `(business.second_factor_required and not ${HAS_SECOND_FACTOR})`;

/** How long sign-in requires no code in a browser that its owner trusts. */
export const TRUSTED_DAYS = 30;

const PENDING_MS = 10 * 60_000;

/** Whose code is required, and the secret of the browser's device cookie if the account knows it. */
export interface Coder {
  accountId: string;
  email: string;
  knownDevice: string | null;
}

/** A right password whose code is still missing. */
export type PendingCoder = Coder & ReadAccount;

/** Made with its form, so that one that is sent twice sets up the same factor and shows the same recovery codes. */
interface NewFactor {
  secret: string;
  /** The secret as it is stored. */
  stored: string;
  recoveryCodes: string[];
}

/** The codes that accounts require in addition to the password. */
export class SecondFactors {
  private readonly secrets: SealedRing;
  /** For hidden fields of forms: nothing is stored until a code was right. */
  private readonly forms: SealedRing;

  constructor(
    private readonly em: EntityManager,
    keys: readonly KeyObject[],
  ) {
    this.secrets = new SealedRing(keys, 'second-factor');
    this.forms = new SealedRing(keys, 'second-factor-form');
  }

  /** Null if the account has none. */
  async find({ accountId, knownDevice }: Omit<Coder, 'email'>) {
    const trustedUntil = sql`(select factor_trusted_until from known_device
      where account_id = ${accountId} and secret_hash = ${hashSecret(knownDevice ?? '')})`;
    return await readOne(
      this.em,
      sql`select ${columns(SecondFactorTable, 'sealed', 'setAt', 'resetAt')},
          ${columns(AccountTable, 'updatedAt')},
          ${computed('hasGivenCode', 'boolean', sql`${trustedUntil} is not null`)},
          ${computed('isTrusted', 'boolean', sql`coalesce(${trustedUntil} > now(), false)`)},
          ${computed('codesLeft', 'int', sql`(select count(*) from recovery_code where account_id = ${accountId})`)}
        from second_factor join account on account.id = second_factor.account_id
        where second_factor.account_id = ${accountId} and ${rawSql(IS_LIVE)}`,
    );
  }

  /** A new factor, and how the form carries it in this session until its first code is right. */
  newSetup(session: string, accountId: string) {
    const secret = newTotpSecret();
    const factor: NewFactor = {
      secret,
      stored: this.secrets.seal(secret, accountId),
      recoveryCodes: newRecoveryCodes(),
    };
    return { ...factor, sealed: this.forms.seal(JSON.stringify(factor), `new-factor/${session}`) };
  }

  /** The factor of a form; null for a form of another session. */
  openSetup(sealed: string, session: string): NewFactor | null {
    const opened = this.forms.open(sealed, `new-factor/${session}`);
    return opened && (JSON.parse(opened.text) as NewFactor);
  }

  /** How the form for new recovery codes carries them, so that one that is sent twice shows those that count. */
  newCodes(session: string): string {
    return this.forms.seal(JSON.stringify(newRecoveryCodes()), `new-codes/${session}`);
  }

  /** The recovery codes of a form; null for a form of another session. */
  openCodes(sealed: string, session: string): string[] | null {
    const opened = this.forms.open(sealed, `new-codes/${session}`);
    return opened && (JSON.parse(opened.text) as string[]);
  }

  /** The hidden field of the form for the code. It opens in this browser only. */
  sealSignIn(coder: PendingCoder, browser: string, now: Date): string {
    return this.forms.seal(JSON.stringify({ ...coder, expiresAt: now.getTime() + PENDING_MS }), `sign-in/${browser}`);
  }

  /** Null if it took too long, was sealed for another browser, or the password has changed since. */
  async openSignIn(sealed: string, browser: string, now: Date): Promise<PendingCoder | null> {
    const opened = this.forms.open(sealed, `sign-in/${browser}`);
    if (opened === null) return null;
    const { expiresAt, ...coder } = JSON.parse(opened.text) as PendingCoder & { expiresAt: number };
    if (expiresAt < now.getTime()) return null;
    return (await this.find(coder))?.updatedAt === coder.updatedAt ? coder : null;
  }

  /**
   * Uses up a code. Wrong ones are counted by account, and apart from that by each browser that gave a right one
   * before: a stranger with the password alone does not lock out the owner.
   * @throws DomainError `RATE_LIMITED`
   */
  async redeem(coder: Coder, typed: string, now: Date): Promise<'totp' | 'recovery' | null> {
    const { accountId, knownDevice } = coder;
    const factor = await this.find(coder);
    if (!factor) return null;
    const counted: Subject[] = factor.hasGivenCode
      ? [{ kind: 'code-device', name: knownDevice! }]
      : [{ kind: 'code', name: accountId }];
    await countAttempt(this.em, counted);
    const given = readCode(typed);
    if (given === null) return null;
    const isUsed =
      given.kind === 'totp'
        ? await this.useStep(accountId, factor.sealed, given.code, now)
        : await this.useRecoveryCode(accountId, given.code);
    if (!isUsed) return null;
    await refundAttempt(this.em, counted);
    return given.kind;
  }

  /** Only later steps count (RFC 6238 §5.2): of two processes with one code, one finds the step taken. */
  private async useStep(accountId: string, sealed: string, code: string, now: Date): Promise<boolean> {
    const opened = this.secrets.open(sealed, accountId);
    if (opened === null) throw new Error('A second factor cannot be opened: none of SECOND_FACTOR_KEYS has sealed it');
    const step = stepOf(opened.text, code, now);
    if (step === null) return false;
    const kept = opened.isCurrent ? sealed : this.secrets.seal(opened.text, accountId);
    const used = await write(
      this.em,
      sql`update second_factor set last_step = ${step}, sealed = ${kept}
        where account_id = ${accountId} and sealed = ${sealed} and last_step < ${step}`,
    );
    return used === 1;
  }

  private async useRecoveryCode(accountId: string, code: string): Promise<boolean> {
    const isIt = sql`account_id = ${accountId} and code_hash = ${hashSecret(code)}`;
    return (await write(this.em, sql`delete from recovery_code where ${isIt}`)) === 1;
  }
}

/** The form that every authenticator app knows (RFC 6238). */
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Steps that the clock of a phone may be ahead or behind. */
const DRIFT = 1;
/** RFC 4226 §4 recommends 160 bits. */
const SECRET_BYTES = 20;
const RECOVERY_BYTES = 10;
const RECOVERY_CODES = 10;

/** In base32, as authenticator apps take it. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The address in the QR code. */
export function totpUri(secret: string, email: string): string {
  return new TOTP({ ...FORM, secret, issuer: 'Payroll', label: email }).toString();
}

/** The time step whose code it is; null for a wrong code. */
export function stepOf(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const delta = TOTP.validate({ ...FORM, secret: Secret.fromBase32(secret), token: code, window: DRIFT, timestamp });
  return delta === null ? null : TOTP.counter({ period: FORM.period, timestamp }) + delta;
}

/** 80 random bits each, as four groups of four letters and digits. */
export function newRecoveryCodes(): string[] {
  const newCode = (): string => new Secret({ size: RECOVERY_BYTES }).base32.match(/.{4}/g)!.join('-');
  return Array.from({ length: RECOVERY_CODES }, newCode);
}

/** A code as a person types it, with or without spaces and hyphens; null for any other text. */
export function readCode(typed: string): { kind: 'totp' | 'recovery'; code: string } | null {
  const code = typed.replaceAll(/[\s-]/g, '').toUpperCase();
  if (/^\d{6}$/.test(code)) return { kind: 'totp', code };
  return /^[A-Z2-7]{16}$/.test(code) ? { kind: 'recovery', code } : null;
}
