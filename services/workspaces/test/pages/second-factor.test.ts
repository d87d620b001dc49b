import { createSecretKey, randomBytes } from 'node:crypto';
import { newId } from '@payroll/kernel';
import { createLog } from '@payroll/runtime';
import { sql } from 'kysely';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { beginResets, newInvitationLink } from '../../src/accounts/links.js';
import { SecondFactors } from '../../src/accounts/second-factor.js';
import { inviteMember } from '../../src/commands/invitations.js';
import { removeSecondFactor, setSecondFactor } from '../../src/commands/second-factor.js';
import { resetSecondFactorCommand } from '../../src/operator/accounts.js';
import { ownOrigin } from '../../src/web/pages/account.js';
import { SECOND_FACTOR_KEY } from '../support.js';
import type { Browser, Page } from './browser.js';
import { codeOf, factorOwner, forgetStep, type Owner, recoveryCodesIn, secretIn, settingUp } from './factors.js';
import { PASSWORD, Site } from './site.js';

const site = await Site.open('workspaces_second_factor', {}, 'caught');
afterAll(() => site[Symbol.asyncDispose]());

const isIn = async (browser: Browser): Promise<boolean> => (await browser.get('/workspaces')).status === 200;
const visitorOf = async (browser: Browser) => (await site.web.sessions.find(browser.cookies.get('session')!))!;
const rowsOf = async (table: string) =>
  (await sql`select * from ${sql.table(table)}`.execute(site.workspaces.em.getKysely())).rows;
const change = (statement: ReturnType<typeof sql>) => statement.execute(site.workspaces.em.getKysely());

const owner = (browser?: Browser): Promise<Owner> => factorOwner(site, browser);

const giveCode = (browser: Browser, asked: Page, code: string, trust: Record<string, string> = {}): Promise<Page> =>
  browser.submit(asked, '/sign-in/code', { code, ...trust });

describe('setting it up', () => {
  it('takes a code of the secret on the page, and shows ten recovery codes', async () => {
    const { accountId, email, browser, form, secret } = await settingUp(site);
    expect(form.html).toContain('<svg role="img"');
    const wrong = await browser.submit(form, '/account/second-factor', { code: codeOf(secret, 5) });
    expect(wrong.status).toBe(422);
    // The phone has scanned it already.
    expect(wrong.html).toContain(secret);
    const first = codeOf(secret);
    const made = await browser.submit(wrong, '/account/second-factor', { code: first });
    expect(made.status).toBe(200);
    expect(new Set(recoveryCodesIn(made)).size).toBe(10);
    expect((await browser.get('/account/second-factor')).text).toContain('10 of 10');
    // Its first code counts no more.
    const other = site.browser();
    expect((await giveCode(other, await other.signIn(email, PASSWORD), first)).status).toBe(422);
    expect(JSON.stringify([await rowsOf('second_factor'), await rowsOf('recovery_code')])).not.toContain(secret);
    expect(
      (await rowsOf('recovery_code')).filter((row) => (row as { account_id: string }).account_id === accountId),
    ).toHaveLength(10);
  });

  it.each(['at once', 'after the first answer'])('sent twice %s shows the recovery codes that count', async (when) => {
    const { email, browser, form, secret } = await settingUp(site);
    const fields = { code: codeOf(secret) };
    const first = browser.submit(form, '/account/second-factor', fields);
    if (when !== 'at once') await first;
    const answers = await Promise.all([first, browser.submit(form, '/account/second-factor', fields)]);
    const [codes, again] = answers.map(recoveryCodesIn);
    expect(codes).toHaveLength(10);
    expect(again).toEqual(codes);
    const other = site.browser();
    expect((await giveCode(other, await other.signIn(email, PASSWORD), again![9]!)).status).toBe(303);
  });

  it('takes a recent password', async () => {
    const { accountId, email, browser, form, secret } = await settingUp(site);
    await change(sql`update session set authenticated_at = now() - interval '11 min' where account_id = ${accountId}`);
    const again = '/sign-in/again?return_to=%2Faccount%2Fsecond-factor';
    expect((await browser.get('/account/second-factor')).location).toBe(again);
    const late = await browser.submit(form, '/account/second-factor', { code: codeOf(secret) });
    expect(late.location).toBe(again);
    expect(await isIn(browser)).toBe(true);
    expect((await site.browser().signIn(email, PASSWORD)).status).toBe(303);
  });

  it('takes no secret of another session', async () => {
    const [mine, theirs] = [site.browser(), site.browser()];
    const { email } = await site.account();
    for (const browser of [mine, theirs]) await browser.signIn(email, PASSWORD);
    const form = await theirs.get('/account/second-factor');
    const secret = secretIn(form);
    const sealed = /name="sealed" value="([^"]*)"/.exec(form.html)![1]!;
    const own = await mine.get('/account/second-factor');
    const answer = await mine.submit(own, '/account/second-factor', { sealed, code: codeOf(secret) });
    expect([answer.status, answer.html.includes(secret)]).toEqual([422, false]);
  });
});

describe('another phone', () => {
  const REPLACE = '/account/second-factor/replace';

  it('takes the place of the present one, which counts until a code of the new one is entered', async () => {
    const { accountId, email, browser, secret } = await owner();
    const form = await browser.get(REPLACE);
    const next = secretIn(form);
    expect((await browser.submit(form, REPLACE, { code: codeOf(secret) })).status).toBe(422);
    const before = site.browser();
    expect((await giveCode(before, await before.signIn(email, PASSWORD), codeOf(secret))).status).toBe(303);
    const made = await browser.submit(form, REPLACE, { code: codeOf(next) });
    expect(recoveryCodesIn(made)).toHaveLength(10);
    await forgetStep(site, accountId);
    const after = site.browser();
    const asked = await after.signIn(email, PASSWORD);
    expect((await giveCode(after, asked, codeOf(secret))).status).toBe(422);
    expect((await giveCode(after, asked, codeOf(next))).status).toBe(303);
  });

  it('requires a recent password and code', async () => {
    const { accountId, browser } = await owner();
    await change(sql`update session set authenticated_at = now() - interval '11 min' where account_id = ${accountId}`);
    expect((await browser.get(REPLACE)).location).toContain('/sign-in/again');
  });

  it('is not set up by the form for a first one, opened before another session set one up', async () => {
    const { id, email } = await site.account();
    const [first, second] = [site.browser(), site.browser()];
    for (const browser of [first, second]) await browser.signIn(email, PASSWORD);
    const forms = await Promise.all([first, second].map((browser) => browser.get('/account/second-factor')));
    const [kept = '', lost = ''] = forms.map(secretIn);
    await first.submit(forms[0]!, '/account/second-factor', { code: codeOf(kept) });
    await second.submit(forms[1]!, '/account/second-factor', { code: codeOf(lost) });
    expect(await isIn(second)).toBe(false);
    await forgetStep(site, id);
    const browser = site.browser();
    const asked = await browser.signIn(email, PASSWORD);
    expect((await giveCode(browser, asked, codeOf(lost))).status).toBe(422);
    expect((await giveCode(browser, asked, codeOf(kept))).status).toBe(303);
  });
});

describe('sign-in', () => {
  it('requires the code after the password, and begins no session before it', async () => {
    const { email, secret } = await owner();
    const browser = site.browser();
    const form = await browser.get('/sign-in?return_to=%2Faccount');
    const asked = await browser.submit(form, '/sign-in', { email, password: PASSWORD });
    expect([asked.status, asked.text.includes('Enter your code')]).toEqual([200, true]);
    expect(await isIn(browser)).toBe(false);
    expect((await giveCode(browser, asked, '')).text).toContain('Enter the code of your authenticator app');
    const wrong = await giveCode(browser, asked, codeOf(secret, 7));
    expect([wrong.status, wrong.text.includes('This code is wrong')]).toEqual([422, true]);
    expect(await isIn(browser)).toBe(false);
    expect(await giveCode(browser, wrong, codeOf(secret))).toMatchObject({ status: 303, location: '/account' });
    expect(await isIn(browser)).toBe(true);
  });

  it('keeps a form that waits for it', async () => {
    const { email, secret } = await owner();
    const browser = site.browser();
    const draft = JSON.stringify({ path: '/account/password', fields: { name: 'Grace "Hopper"' } });
    const form = await browser.get('/sign-in');
    const asked = await browser.submit(form, '/sign-in', { email, password: PASSWORD, draft });
    expect((await giveCode(browser, asked, codeOf(secret))).location).toBe('/account/password');
    const [kept] = (await rowsOf('session')).filter((row) => (row as { draft: unknown }).draft !== null);
    expect(kept).toMatchObject({ draft: { fields: { name: 'Grace "Hopper"' } } });
  });

  it('goes on in no other browser, not after ten minutes, and not after a new password', async () => {
    const { accountId, email, secret } = await owner();
    const [browser, other] = [site.browser(), site.browser()];
    const asked = await browser.signIn(email, PASSWORD);
    const sealed = /name="sealed" value="([^"]*)"/.exec(asked.html)![1]!;
    const stolen = await giveCode(other, await other.signIn(email, PASSWORD), codeOf(secret), { sealed });
    expect(stolen.text).toContain('This took too long. Sign in again');
    const { updatedAt } = (await site.web.secondFactors.find({ accountId, knownDevice: null }))!;
    const old = site.web.secondFactors.sealSignIn(
      { accountId, email, updatedAt, knownDevice: null },
      newId(),
      new Date(Date.now() - 601_000),
    );
    expect((await giveCode(browser, asked, codeOf(secret), { sealed: old })).text).toContain('This took too long');
    await change(sql`update account set updated_at = now() where id = ${accountId}`);
    expect((await giveCode(browser, asked, codeOf(secret))).text).toContain('This took too long. Sign in again');
    expect(await isIn(browser)).toBe(false);
  });

  it('requires no code in a trusted browser, for 30 days or until the sessions are ended', async () => {
    const { accountId, email, secret, browser: first } = await owner();
    const browser = site.browser();
    const asked = await browser.signIn(email, PASSWORD);
    await giveCode(browser, asked, codeOf(secret), { trust: 'yes' });
    const signInAgain = async () => {
      await browser.submit(await browser.get('/account'), '/sign-out');
      return await browser.signIn(email, PASSWORD);
    };
    expect((await signInAgain()).status).toBe(303);
    // The password alone does not count as a recent proof.
    const [{ recent }] = (
      await sql<{ recent: boolean }>`select authenticated_at > now() - interval '10 min' as recent from session
        where account_id = ${accountId} order by created_at desc limit 1`.execute(site.workspaces.em.getKysely())
    ).rows as [{ recent: boolean }];
    expect(recent).toBe(false);
    await first.submit(await first.get('/account'), '/account/sign-out-everywhere');
    expect((await browser.signIn(email, PASSWORD)).text).toContain('Enter your code');
    await forgetStep(site, accountId);
    await giveCode(browser, await browser.signIn(email, PASSWORD), codeOf(secret), { trust: 'yes' });
    await change(sql`update known_device set factor_trusted_until = factor_trusted_until - interval '30 days'`);
    expect((await signInAgain()).text).toContain('Enter your code');
  });

  it('lets one of two processes use a code that both get at once', async () => {
    const { accountId, email, secret } = await owner();
    await using other = await site.anotherProcess();
    for (let n = 0; n < 20; n += 1) {
      const browsers = [site.browser(), other.browser()];
      const asked = await Promise.all(browsers.map((browser) => browser.signIn(email, PASSWORD)));
      const code = codeOf(secret);
      const answers = await Promise.all(browsers.map((browser, m) => giveCode(browser, asked[m]!, code)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422]);
      await forgetStep(site, accountId);
      await change(sql`delete from sign_in_counter`);
    }
  });

  it('counts at most five of a thousand guesses in five minutes, and the known browser of the owner still gets in', async () => {
    const { accountId, email, secret, browser } = await owner();
    await browser.submit(await browser.get('/account'), '/sign-out');
    await giveCode(browser, await browser.signIn(email, PASSWORD), codeOf(secret));
    await browser.submit(await browser.get('/account'), '/sign-out');
    await forgetStep(site, accountId);
    const guesser = site.browser();
    const asked = await guesser.signIn(email, PASSWORD);
    const right = [-1, 0, 1].map((step) => codeOf(secret, step));
    const wrong = Array.from({ length: 1_003 }, (_, n) => String(n).padStart(6, '0')).filter(
      (code) => !right.includes(code),
    );
    const statuses: number[] = [];
    for (let n = 0; n < 1_000; n += 50) {
      const sent = wrong.slice(n, n + 50).map((code) => giveCode(guesser, asked, code));
      statuses.push(...(await Promise.all(sent)).map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 422)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(995);
    // Not even the right one, nor after another right password.
    expect((await giveCode(guesser, asked, codeOf(secret))).status).toBe(429);
    expect((await giveCode(guesser, await guesser.signIn(email, PASSWORD), codeOf(secret))).status).toBe(429);
    expect((await giveCode(browser, await browser.signIn(email, PASSWORD), codeOf(secret))).status).toBe(303);
  });

  it('takes a recovery code once', async () => {
    const { email, recoveryCodes, browser: first } = await owner();
    const [code = ''] = recoveryCodes;
    const browsers = [site.browser(), site.browser()];
    const asked = await Promise.all(browsers.map((browser) => browser.signIn(email, PASSWORD)));
    const spelled = [code.toLowerCase(), code.replaceAll('-', ' ')];
    const answers = await Promise.all(browsers.map((browser, n) => giveCode(browser, asked[n]!, spelled[n]!)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422]);
    expect((await first.get('/account/second-factor')).text).toContain('9 of 10');
  });

  it('is needed to join a workspace with the password of an account', async () => {
    const place = await site.workspaces.provision();
    const { email, secret } = await owner();
    const { link: address, ...proof } = newInvitationLink(site.url);
    await site.workspaces.run(inviteMember, { ...proof, name: 'Ada', email, role: 'member' }, place.origin);
    const link = new URL(address).pathname;
    const browser = site.browser();
    const fields = { name: 'Ada', password: PASSWORD, repeated: PASSWORD };
    const asked = await browser.submit(await browser.get(link), link, fields);
    expect(asked.text).toContain('Enter your code');
    expect(await isIn(browser)).toBe(false);
    expect(await giveCode(browser, asked, codeOf(secret))).toMatchObject({ status: 303, location: link });
    const joined = await browser.submit(await browser.get(link), link);
    expect(joined.location).toBe(`/workspaces/${place.workspaceId}`);
  });
});

describe('a recent proof', () => {
  it('is password and code', async () => {
    const { accountId, email, browser, secret } = await owner();
    const again = async (fields: Record<string, string>) =>
      await browser.submit(await browser.get('/sign-in/again?return_to=%2Faccount'), '/sign-in/again', fields);
    const age = () =>
      change(sql`update session set authenticated_at = now() - interval '11 min' where account_id = ${accountId}`);
    await age();
    const remove = async () =>
      await browser.submit(await browser.get('/account/second-factor/remove'), '/account/second-factor/remove');
    expect((await remove()).location).toContain('/sign-in/again');
    expect((await again({ password: PASSWORD })).status).toBe(422);
    expect((await again({ password: PASSWORD, code: codeOf(secret, 9) })).status).toBe(422);
    expect((await again({ password: 'a wrong password', code: codeOf(secret) })).status).toBe(422);
    expect((await remove()).location).toContain('/sign-in/again');
    expect(await again({ password: PASSWORD, code: codeOf(secret) })).toMatchObject({
      status: 303,
      location: '/account',
    });
    const renewed = await browser.submit(
      await browser.get('/account/second-factor'),
      '/account/second-factor/recovery-codes',
    );
    expect(recoveryCodesIn(renewed)).toHaveLength(10);
    expect((await remove()).location).toBe('/account');
    expect((await site.browser().signIn(email, PASSWORD)).status).toBe(303);
  });

  it('is needed everywhere once the factor is set up: all other sessions end', async () => {
    const { id, email } = await site.account();
    const [browser, other] = [site.browser(), site.browser()];
    for (const each of [browser, other]) await each.signIn(email, PASSWORD);
    const form = await browser.get('/account/second-factor');
    const secret = secretIn(form);
    await browser.submit(form, '/account/second-factor', { code: codeOf(secret) });
    await forgetStep(site, id);
    expect((await other.get('/account')).location).toContain('/sign-in?');
    expect((await browser.get('/account')).status).toBe(200);
  });

  it('is not a password alone that was entered before the factor was set up', async () => {
    const { id: accountId, email } = await site.account();
    const [browser, signedIn, signingIn] = [site.browser(), site.browser(), site.browser()];
    for (const each of [browser, signedIn]) await each.signIn(email, PASSWORD);
    const own = ownOrigin(await visitorOf(browser), newId());
    const factor = { accountId, sealed: '', step: 1, recoveryHashes: [], replaces: true };
    const setUp = () => site.workspaces.run(setSecondFactor, factor, own);
    const isProven = async (each: Browser) =>
      (await site.web.sessions.find(each.cookies.get('session')!))?.isRecent ?? false;
    const again = await signedIn.get('/sign-in/again');
    await site.whileHashing(() => signedIn.submit(again, '/sign-in/again', { password: PASSWORD }), setUp);
    expect(await isProven(signedIn)).toBe(false);
    await change(sql`delete from second_factor where account_id = ${accountId}`);
    const form = await signingIn.get('/sign-in');
    await site.whileHashing(() => signingIn.submit(form, '/sign-in', { email, password: PASSWORD }), setUp);
    expect(await isProven(signingIn)).toBe(false);
    expect(await isProven(browser)).toBe(true);
  });

  it('of a request under way is lost when another session sets the factor up', async () => {
    const { id: accountId, email } = await site.account();
    const [browser, other] = [site.browser(), site.browser()];
    for (const each of [browser, other]) await each.signIn(email, PASSWORD);
    const late = ownOrigin(await visitorOf(other), newId());
    const factor = { accountId, sealed: 'own', step: 1, recoveryHashes: [], replaces: true };
    await site.workspaces.run(setSecondFactor, factor, ownOrigin(await visitorOf(browser), newId()));
    const undo = [
      site.workspaces.run(removeSecondFactor, { accountId }, late),
      site.workspaces.run(setSecondFactor, { ...factor, sealed: 'theirs' }, late),
    ];
    for (const each of undo) await expect(each).rejects.toThrow('Give your password again first.');
  });

  it('is needed for a new password, also where the factor is set up while the present one is hashed', async () => {
    const { id: accountId, email } = await site.account();
    const [browser, other] = [site.browser(), site.browser()];
    await other.signIn(email, PASSWORD);
    // So that it has no recent proof to lose.
    await change(sql`update session set authenticated_at = 'epoch' where account_id = ${accountId}`);
    await browser.signIn(email, PASSWORD);
    const own = ownOrigin(await visitorOf(browser), newId());
    const factor = { accountId, sealed: '', step: 1, recoveryHashes: [], replaces: true };
    const [form, password] = [await other.get('/account/password'), 'seven lanterns under oak'];
    const answer = await site.whileHashing(
      () => other.submit(form, '/account/password', { current: PASSWORD, password, repeated: password }),
      () => site.workspaces.run(setSecondFactor, factor, own),
    );
    expect(answer.location).toContain('/sign-in/again');
    expect([await isIn(browser), await isIn(other)]).toEqual([true, false]);
  });

  it('is needed for a new password, whose session has it', async () => {
    const { browser, secret } = await owner();
    const password = 'seven lanterns under oak';
    const fields = { current: PASSWORD, password, repeated: password };
    const sent = async (code: string) =>
      await browser.submit(await browser.get('/account/password'), '/account/password', { ...fields, code });
    expect((await sent('')).text).toContain('Enter the code of your authenticator app');
    expect((await sent(codeOf(secret, 9))).text).toContain('This code is wrong');
    expect((await sent(codeOf(secret))).location).toBe('/account');
  });
});

describe('mail', () => {
  it('says that it was set up, that a recovery code was used, and that it was removed', async () => {
    const { email, browser, recoveryCodes } = await owner();
    const [other, form] = [site.browser(), await browser.get('/account/second-factor/remove')];
    await giveCode(other, await other.signIn(email, PASSWORD), recoveryCodes[3]!);
    for (const _ of [1, 2]) expect((await browser.submit(form, '/account/second-factor/remove')).status).toBe(303);
    const expected = ['Your second factor was set up', 'A recovery code was used', 'Your second factor was removed'];
    await expect.poll(() => site.subjectsTo(email)).toEqual(expect.arrayContaining(expected));
  });

  it('with a link for a new password does not remove it', async () => {
    const { email, secret } = await owner();
    const [reset] = await beginResets(site.workspaces.em, email);
    const [link, browser, password] = [`/reset-password/${reset!.secret}`, site.browser(), 'seven lanterns under oak'];
    expect((await browser.submit(await browser.get(link), link, { password, repeated: password })).status).toBe(303);
    const asked = await browser.signIn(email, password);
    expect(asked.text).toContain('Enter your code');
    // The link has made the browser known for passwords, which gives it no guesses of its own.
    const guesser = site.browser();
    const guessed = await guesser.signIn(email, password);
    for (let n = 0; n < 5; n += 1) await giveCode(guesser, guessed, 'wrong');
    expect((await giveCode(browser, asked, codeOf(secret))).status).toBe(429);
  });

  describe('of an operator’s reset', () => {
    const reset = async (email: string, smtp = site.catcher!.url): Promise<void> => {
      vi.spyOn(process.stdout, 'write').mockReturnValue(true);
      const env = {
        DATABASE_URL: site.workspaces.databaseUrl,
        APP_URL: site.url,
        SMTP_URL: smtp,
        MAIL_FROM: 'payroll@example.com',
      };
      await resetSecondFactorCommand.run(env, ['--email', email]).finally(() => vi.restoreAllMocks());
    };
    const linkTo = (email: string): string => {
      const mail = site.mailsTo(email).find(({ subject }) => subject.includes('will be removed'))!;
      return new URL(/https?:\/\/\S+/.exec(mail.text)![0]).pathname;
    };
    const passDay = (accountId: string) =>
      change(sql`update second_factor set reset_at = reset_at - interval '24 hours' where account_id = ${accountId}`);

    it('is sent at once, and the factor ends a day later', async () => {
      const { accountId, email, browser } = await owner();
      await reset(email);
      expect(linkTo(email)).toMatch(/^\/keep-second-factor\//);
      expect((await browser.get('/account/second-factor')).text).toContain('Will be removed');
      await expect(reset(email)).rejects.toThrow(/it is removed at .* already/);
      expect((await site.browser().signIn(email, PASSWORD)).text).toContain('Enter your code');
      await passDay(accountId);
      const again = site.browser();
      expect((await again.signIn(email, PASSWORD)).status).toBe(303);
      expect((await again.get(linkTo(email))).status).toBe(404);
      const form = await again.get('/account/second-factor');
      const secret = secretIn(form);
      expect((await again.submit(form, '/account/second-factor', { code: codeOf(secret) })).status).toBe(200);
      expect((await site.browser().signIn(email, PASSWORD)).text).toContain('Enter your code');
    });

    it('has a link whose button keeps the factor', async () => {
      const { accountId, email } = await owner();
      await reset(email);
      const [link, browser] = [linkTo(email), site.browser()];
      const page = await browser.get(link);
      const pending = async () => (await site.web.secondFactors.find({ accountId, knownDevice: null }))!.resetAt;
      expect(await pending()).not.toBeNull();
      expect((await browser.submit(page, link)).location).toBe('/sign-in');
      expect(await pending()).toBeNull();
      expect((await browser.get(link)).status).toBe(404);
      expect((await site.browser().signIn(email, PASSWORD)).text).toContain('Enter your code');
    });

    it('is a condition: without it nothing is removed', async () => {
      const { accountId, email } = await owner();
      await expect(reset(email, 'smtp://127.0.0.1:9')).rejects.toThrow('nothing will be removed');
      expect((await site.web.secondFactors.find({ accountId, knownDevice: null }))!.resetAt).toBeNull();
      await expect(reset((await site.account()).email)).rejects.toThrow('no account with a second factor');
    });
  });
});

it('a new key takes the place of the old one as people give codes', async () => {
  const { accountId, email, secret } = await owner();
  const { em } = site.workspaces;
  const next = createSecretKey(randomBytes(32));
  const coder = { accountId, email, knownDevice: null };
  const redeem = async (keys: ConstructorParameters<typeof SecondFactors>[1]) => {
    await forgetStep(site, accountId);
    return await new SecondFactors(em, keys).redeem(coder, codeOf(secret), new Date());
  };
  await expect(redeem([next])).rejects.toThrow('SECOND_FACTOR_KEYS');
  expect(await redeem([next, SECOND_FACTOR_KEY])).toBe('totp');
  expect(await redeem([next])).toBe('totp');
});

it('neither the secret nor a code is in a log or in a table', async () => {
  const lines: string[] = [];
  const log = createLog('workspaces', 'trace', { write: (line) => void lines.push(line), flushSync: () => undefined });
  await using other = await site.anotherProcess(log);
  const { accountId, email, secret, recoveryCodes } = await owner(other.browser());
  const codes = [codeOf(secret), recoveryCodes[0]!, codeOf(secret, 9)];
  for (const code of codes) {
    const browser = other.browser();
    await giveCode(browser, await browser.signIn(email, PASSWORD), code);
  }
  const tables = await Promise.all(
    ['second_factor', 'recovery_code', 'session', 'audit_entry', 'applied_operation', 'sign_in_counter'].map(rowsOf),
  );
  expect(lines.join()).toContain('/sign-in/code');
  const text = lines.join() + JSON.stringify(tables);
  expect(text).toContain(accountId);
  for (const hidden of [secret, ...codes, ...recoveryCodes]) {
    // As a value, of JSON or of a form: times and ids have six digits in a row by chance.
    for (const spelled of [hidden, hidden.replaceAll('-', '')])
      expect(text).not.toMatch(new RegExp(`["=:]${spelled}\\b`));
  }
});
