import { Readable } from 'node:stream';
import { DomainError, isDomainError, notFound } from '@payroll/kernel';
import {
  type Crumb,
  ConfirmButtons,
  type FieldMessages,
  type FileResponse,
  DefinitionList,
  Form,
  OperationId,
  type PageView,
  problemsOf,
  textOf,
} from '@payroll/pages';
import type { VNode } from 'preact';
import type { ConsoleContext } from '../console-context.js';
import type { RouteTable } from '../routes.js';
import { AgreementText } from '../sections/contracts/actions/agreement.js';
import { ReasonField, REASON_WORDING } from '../sections/contracts/actions/fields.js';
import { dayText } from '../words.js';
import { operationIn, requireWorker } from '../workspace-context.js';
import { canSign, myContractIn, Signed } from './contracts.js';
import { askForContractChanges, signMyAmendment, signMyContract } from './operations.js';

const CONTRACT = '/work/:workspaceId/contracts/:id';

/** The text as it was sent for signature, and what was changed since. */
async function myAgreementPage(ctx: ConsoleContext): Promise<PageView> {
  const { contract, address } = await enter(ctx);
  const body = (
    <>
      <AgreementText of={contract} />
      <p>
        <a href={`${address}/agreement.txt`}>Download the text</a>
      </p>
      <h2>Signatures</h2>
      <DefinitionList
        of={{
          You: <Signed at={contract.workerSignedAt} />,
          'For the business': <Signed at={contract.businessSignedAt} />,
        }}
      />
      {contract.amendments.map((amendment) => (
        <section key={amendment.number} aria-labelledby={`amendment-${amendment.number}`}>
          <h2 id={`amendment-${amendment.number}`}>Amendment {amendment.number}</h2>
          {amendment.isOpen && <p>It waits for your signature.</p>}
          <AgreementText of={amendment} />
          <p>
            <a href={`${address}/agreement.txt?amendment=${amendment.number}`}>Download this amendment</a>
          </p>
          <DefinitionList
            of={{
              'Holds from': amendment.holdsFrom && dayText(amendment.holdsFrom),
              You: amendment.workerSignedAt && <Signed at={amendment.workerSignedAt} />,
            }}
          />
        </section>
      ))}
    </>
  );
  return {
    title: contract.title,
    lead: 'This text does not change any more.',
    crumbs: [crumbOf({ contract, address })],
    body,
  };
}

/** Exactly the bytes whose SHA-256 is the digest. */
async function myAgreementText(ctx: ConsoleContext): Promise<FileResponse> {
  const { contract } = await enter(ctx);
  const asked = ctx.query('amendment');
  const of = asked === undefined ? contract : contract.amendments.find(({ number }) => String(number) === asked);
  if (of === undefined) throw notFound('The amendment');
  const { text } = of;
  return {
    download: `contract-${contract.id}${asked === undefined ? '' : `-amendment-${asked}`}.txt`,
    type: 'text/plain; charset=utf-8',
    content: Readable.from([Buffer.from(text)]),
  };
}

/** A contract, and the change of its terms that the address names. */
async function enter(ctx: ConsoleContext) {
  const { path } = await requireWorker(ctx);
  const contract = await myContractIn(ctx);
  const amendment = contract.amendments.find(({ number }) => String(number) === ctx.param('number'));
  return { contract, amendment, address: `${path}/contracts/${contract.id}`, typed: ctx.typed };
}

type Entered = Awaited<ReturnType<typeof enter>>;

interface ContractForm extends Record<'title' | 'lead' | 'label' | 'keep' | 'done', string> {
  /** For the title of the page that refuses, instead of `title`. */
  what?: string;
  isOpen: (entered: Entered) => boolean;
  /** The text that is signed, which needs a recent password. */
  signed?: (entered: Entered) => Record<'text' | 'digest', string> | undefined;
  fields?: (entered: Entered) => VNode;
  send: (entered: Entered, ctx: ConsoleContext) => Promise<unknown>;
  wording?: FieldMessages;
}

/** A form about a contract. Nothing is done if the contract has changed since the page was opened. */
function contractForm(route: string, form: ContractForm): RouteTable {
  const { title, what = title } = form;
  return {
    [`GET ${CONTRACT}/${route}`]: async (ctx) => {
      const entered = await enter(ctx);
      if (form.signed) await ctx.requireRecent();
      return form.isOpen(entered) ? formView(form, entered) : notNow(what, entered);
    },
    [`POST ${CONTRACT}/${route}`]: async (ctx) => {
      const entered = await enter(ctx);
      try {
        await form.send(entered, ctx);
      } catch (error) {
        if (isDomainError(error, 'INVALID_STATE')) return notNow(what, entered);
        if (form.wording === undefined) throw error;
        return { ...formView(form, entered), problems: problemsOf(error, form.wording) };
      }
      return { to: entered.address, notice: form.done };
    },
  };
}

function formView({ title, lead, label, keep, signed, fields }: ContractForm, entered: Entered): PageView {
  const text = signed?.(entered);
  const body = (
    <>
      {text && <AgreementText of={text} />}
      <Form>
        <OperationId />
        {text && <input type="hidden" name="digest" value={text.digest} />}
        {fields?.(entered)}
        <ConfirmButtons label={label} back={entered.address} keep={keep} />
      </Form>
    </>
  );
  return { title, lead, crumbs: [crumbOf(entered)], body };
}

function notNow(what: string, { contract, address }: Entered): PageView {
  const body = (
    <p>
      Nothing was done. <a href={address}>Open the contract</a> to see what it is now.
    </p>
  );
  return { title: `${what}: not possible now`, lead: contract.title, body, status: 409 };
}

function crumbOf({ contract, address }: Pick<Entered, 'contract' | 'address'>): Crumb {
  return { label: contract.title, path: address };
}

/** The text that was shown, and the evidence of its signature. */
function signatureIn(ctx: ConsoleContext) {
  const browser = ctx.request.headers['user-agent'] ?? '';
  return { digest: textOf(ctx, 'digest'), clientAddress: ctx.request.ip, browser };
}

export const myAgreementPages: RouteTable = {
  [`GET ${CONTRACT}/agreement`]: myAgreementPage,
  [`GET ${CONTRACT}/agreement.txt`]: myAgreementText,
  ...contractForm('sign', {
    what: 'Sign',
    title: 'Sign the contract',
    lead: 'Read the text to its end. You sign exactly this text; a signature cannot be taken back. Your email address, your network address, your browser and the time are kept with it.',
    isOpen: ({ contract }) => canSign(contract),
    signed: ({ contract }) => contract,
    label: 'Sign this text',
    keep: 'Do not sign now',
    send: ({ contract: { id } }, ctx) => ctx.mutate(signMyContract, { id, ...signatureIn(ctx) }, operationIn(ctx)),
    done: 'You have signed the contract.',
  }),
  ...contractForm('amendments/:number/sign', {
    title: 'Sign the new terms',
    lead: 'From your signature on they hold for all work that is not approved yet. Until then the present terms hold.',
    isOpen: ({ amendment }) => amendment?.isOpen === true,
    signed: ({ amendment }) => amendment,
    label: 'Sign these terms',
    keep: 'Do not sign now',
    // Also for terms that are signed already: a form that is sent twice is the same operation, with the same answer.
    send: async ({ contract: { id }, amendment }, ctx) => {
      if (amendment === undefined) throw new DomainError('INVALID_STATE', 'There is no such amendment.');
      await ctx.mutate(signMyAmendment, { id, number: amendment.number, ...signatureIn(ctx) }, operationIn(ctx));
    },
    done: 'You have signed the new terms.',
  }),
  ...contractForm('changes', {
    title: 'Ask for changes',
    lead: 'The business reads it and decides. A changed contract comes to you as a new one to sign.',
    isOpen: ({ contract }) => canSign(contract),
    fields: ({ typed }) => <ReasonField typed={typed} label="What should be changed?" />,
    label: 'Ask for changes',
    keep: 'Back',
    send: ({ contract: { id } }, ctx) =>
      ctx.mutate(askForContractChanges, { id, reason: textOf(ctx, 'reason') }, operationIn(ctx)),
    done: 'The business sees what you ask for.',
    wording: REASON_WORDING,
  }),
};
