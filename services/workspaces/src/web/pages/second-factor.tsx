import { throwIfInvalid } from '@payroll/kernel';
import {
  Button,
  ConfirmButtons,
  DefinitionList,
  Form,
  hashSecret,
  LinkButton,
  OneTimeSecret,
  type PageView,
  textOf,
  Time,
} from '@payroll/pages';
import type { VNode } from 'preact';
import { encode } from 'uqr';
import { readCode, stepOf, totpUri, type SecondFactors } from '../../accounts/second-factor.js';
import type { SignedInSession } from '../../accounts/sessions.js';
import { removeSecondFactor, renewRecoveryCodes, setSecondFactor } from '../../commands/second-factor.js';
import { CODE_WORDING, CodeField } from '../secret-fields.js';
import { type AccountContext, formPage, type RouteTable } from '../account-context.js';
import { ownOrigin } from './account.js';

type Factor = NonNullable<Awaited<ReturnType<SecondFactors['find']>>>;

const WORDING = { ...CODE_WORDING, 'code wrong': 'This code is wrong. Is the time of your phone set automatically?' };

const setUp = formPage('/account/second-factor', {
  load: async (ctx) => {
    const visitor = await ctx.requireSignIn();
    const factor = await ctx.web.secondFactors.find({ accountId: visitor.account.id, knownDevice: null });
    // The form of the factor that is there by now was sent twice: it has the recovery codes.
    const isSent = factor !== null && sentSetUp(ctx, visitor) !== null;
    if (factor === null || isSent) return { factor: null, ...(await enterSetUp(ctx)) };
    return { factor, newCodes: ctx.web.secondFactors.newCodes(visitor.sessionId) };
  },
  wording: WORDING,
  view: (entered) => (entered.factor === null ? setUpPage(entered) : factorPage(entered)),
  submit: async (entered, ctx) =>
    entered.factor === null ? await setUpFrom(entered, ctx, false) : factorPage(entered),
});

const replace = formPage('/account/second-factor/replace', {
  load: enterSetUp,
  wording: WORDING,
  view: setUpPage,
  submit: async (entered, ctx) => await setUpFrom(entered, ctx, true),
});

const remove = formPage('/account/second-factor/remove', {
  load: async (ctx) => ({ visitor: await ctx.requireSignIn() }),
  view: () => ({
    title: 'Remove the second factor?',
    lead: 'Anyone who learns your password can then sign in as you.',
    body: (
      <Form>
        <ConfirmButtons label="Remove it" look="danger" back="/account/second-factor" keep="Keep it" />
      </Form>
    ),
  }),
  submit: async ({ visitor }, ctx) => {
    const input = { accountId: visitor.account.id };
    await ctx.web.commands.run(removeSecondFactor, input, ownOrigin(visitor, ctx.request.id));
    return { to: '/account', notice: 'Your second factor is removed. Your password alone signs you in.' };
  },
});

export const secondFactorPages: RouteTable = {
  ...setUp,
  ...replace,
  ...remove,

  'POST /account/second-factor/recovery-codes': async (ctx) => {
    const visitor = await ctx.requireSignIn();
    const codes = ctx.web.secondFactors.openCodes(textOf(ctx, 'codes'), visitor.sessionId);
    if (codes === null) return { to: '/account/second-factor' };
    const input = { accountId: visitor.account.id, recoveryHashes: hashesOf(codes) };
    await ctx.web.commands.run(renewRecoveryCodes, input, ownOrigin(visitor, ctx.request.id));
    return codesPage('Your new recovery codes', codes);
  },
};

function sentSetUp(ctx: AccountContext, { sessionId }: SignedInSession) {
  return ctx.web.secondFactors.openSetup(textOf(ctx, 'sealed'), sessionId);
}

/** A new factor: that of the form that was sent, as the phone has it. */
async function enterSetUp(ctx: AccountContext) {
  const visitor = await ctx.requireSignIn();
  await ctx.requireRecent();
  const to = ctx.returnPath === '/' ? '/account' : ctx.returnPath;
  const sent = sentSetUp(ctx, visitor);
  const setUp = sent
    ? { ...sent, sealed: textOf(ctx, 'sealed') }
    : ctx.web.secondFactors.newSetup(visitor.sessionId, visitor.account.id);
  return { visitor, to, ...setUp };
}

type Entered = Awaited<ReturnType<typeof enterSetUp>>;

async function setUpFrom(entered: Entered, ctx: AccountContext, replaces: boolean): Promise<PageView> {
  const { visitor, secret, stored: sealed, recoveryCodes, to } = entered;
  const { id: accountId } = visitor.account;
  const code = readCode(textOf(ctx, 'code'));
  const step = code?.kind === 'totp' ? stepOf(secret, code.code, new Date()) : null;
  if (step === null) throwIfInvalid([{ path: 'code', code: 'wrong' }], 'The code is wrong.');
  const input = { accountId, sealed, step: step!, recoveryHashes: hashesOf(recoveryCodes), replaces };
  await ctx.web.commands.run(setSecondFactor, input, ownOrigin(visitor, ctx.request.id));
  return codesPage('Your second factor is set up', recoveryCodes, {
    to,
    more: ' You are signed out in all other browsers.',
  });
}

function setUpPage({ visitor: { account }, to, secret, sealed }: Entered): PageView {
  return {
    title: 'Set up a second factor',
    lead: 'Scan the code with an authenticator app on your phone. Then type the six digits that the app shows.',
    body: (
      <>
        <QrCode text={totpUri(secret, account.email)} label="QR code with the key that is written below" />
        <OneTimeSecret label="Key" value={secret} hint="For an app that cannot scan: codes by time, six digits." />
        <Form>
          <input type="hidden" name="sealed" value={sealed} />
          <input type="hidden" name="return_to" value={to} />
          <CodeField hint="Six digits of your authenticator app" />
          <Button>Set it up</Button>
        </Form>
      </>
    ),
  };
}

function factorPage({ factor, newCodes }: { factor: Factor; newCodes: string }): PageView {
  const { setAt, resetAt, codesLeft } = factor;
  return {
    title: 'Your second factor',
    body: (
      <>
        <DefinitionList
          of={{
            'Set up': <Time at={setAt} />,
            'Recovery codes left': `${codesLeft} of 10`,
            'Will be removed': resetAt && <Time at={resetAt} />,
          }}
        />
        {resetAt && (
          <p>
            The operator was told that it is lost. If it is not, keep it with the link that was mailed to you, and
            change your password.
          </p>
        )}
        <h2>Recovery codes</h2>
        <p>Each signs you in once without your phone. New ones take the place of all you have.</p>
        <Form action="/account/second-factor/recovery-codes">
          <input type="hidden" name="codes" value={newCodes} />
          <Button look="quiet">Make new recovery codes</Button>
        </Form>
        <h2>Another phone</h2>
        <p>The present one gives valid codes until you have entered a code of the new one.</p>
        <LinkButton href="/account/second-factor/replace" look="quiet">
          Set up another phone
        </LinkButton>
        <h2>Remove it</h2>
        <p>
          Your password alone then signs you in. A workspace that requires a second factor of its admins forbids it to
          them.
        </p>
        <LinkButton href="/account/second-factor/remove" look="danger">
          Remove the second factor
        </LinkButton>
      </>
    ),
  };
}

function hashesOf(codes: readonly string[]): string[] {
  return codes.map((code) => hashSecret(readCode(code)!.code));
}

function codesPage(title: string, codes: readonly string[], { to = '/account', more = '' } = {}): PageView {
  return {
    title,
    lead: `Keep these recovery codes where you find them without your phone. They are not shown again.${more}`,
    body: (
      <>
        <OneTimeSecret label="Recovery codes" value={codes.join('\n')} hint="Each can be used once." />
        <LinkButton href={to}>I have kept them</LinkButton>
      </>
    ),
  };
}

/** Light modules around it, which readers need (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** Dark on light in every look of the page, as cameras expect. */
function QrCode({ text, label }: { text: string; label: string }): VNode {
  const { data, size } = encode(text, { border: QUIET_ZONE });
  const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width="240"
      height="240"
      shape-rendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={modules.join('')} />
    </svg>
  );
}
