import { Readable } from 'node:stream';
import { DomainError, notFound } from '@payroll/kernel';
import {
  type PageResponse,
  type Crumb,
  ConfirmButtons,
  type FileResponse,
  DefinitionList,
  Form,
  OperationId,
  type PageView,
  problemsOf,
  textOf,
} from '@payroll/pages';
import type { ConsoleContext } from '../console-context.js';
import { AgreementText } from '../sections/contracts/actions/agreement.js';
import { ReasonField, REASON_WORDING, reasonOf } from '../sections/contracts/actions/fields.js';
import { dayText } from '../words.js';
import { operationIn, requireWorker } from '../workspace-context.js';
import { canSign, myContractIn, Signed } from './contracts.js';
import { askForContractChanges, type MyContract, signMyAmendment, signMyContract } from './operations.js';

/** The text as it was sent for signature, and what was changed since. */
export async function myAgreementPage(ctx: ConsoleContext): Promise<PageView> {
  const { path } = await requireWorker(ctx);
  const contract = await myContractIn(ctx);
  const body = (
    <>
      <AgreementText of={contract} />
      <p>
        <a href={`${path}/contracts/${contract.id}/agreement.txt`}>Download the text</a>
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
            <a href={`${path}/contracts/${contract.id}/agreement.txt?amendment=${amendment.number}`}>
              Download this amendment
            </a>
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
    crumbs: [crumbOf(path, contract)],
    body,
  };
}

/** Exactly the bytes whose SHA-256 is the digest. */
export async function myAgreementText(ctx: ConsoleContext): Promise<FileResponse> {
  await requireWorker(ctx);
  const contract = await myContractIn(ctx);
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

export async function showSign(ctx: ConsoleContext): Promise<PageView> {
  const { path } = await requireWorker(ctx);
  await ctx.requireRecent();
  const contract = await myContractIn(ctx);
  return canSign(contract) ? signPage(path, contract) : notNow('Sign', path, contract);
}

export async function sign(ctx: ConsoleContext): Promise<PageResponse> {
  const { path } = await requireWorker(ctx);
  const contract = await myContractIn(ctx);
  const given = { id: contract.id, digest: textOf(ctx, 'digest'), ...fromOf(ctx) };
  try {
    await ctx.mutate(signMyContract, given, operationIn(ctx));
  } catch (error) {
    if (error instanceof DomainError && error.code === 'INVALID_STATE') return notNow('Sign', path, contract);
    throw error;
  }
  return { to: `${path}/contracts/${contract.id}`, notice: 'You have signed the contract.' };
}

function signPage(path: string, contract: MyContract): PageView {
  const body = (
    <>
      <AgreementText of={contract} />
      <Form>
        <OperationId />
        <input type="hidden" name="digest" value={contract.digest} />
        <ConfirmButtons label="Sign this text" back={`${path}/contracts/${contract.id}`} keep="Do not sign now" />
      </Form>
    </>
  );
  const lead =
    'Read the text to its end. You sign exactly this text; a signature cannot be taken back. Your email address, your network address, your browser and the time are kept with it.';
  return { title: 'Sign the contract', lead, crumbs: [crumbOf(path, contract)], body };
}

/** A change of terms, by its number in the address. */
async function enterAmendment(ctx: ConsoleContext) {
  const { path } = await requireWorker(ctx);
  const contract = await myContractIn(ctx);
  const amendment = contract.amendments.find(({ number }) => String(number) === ctx.param('number'));
  return { path, contract, amendment };
}

export async function showSignAmendment(ctx: ConsoleContext): Promise<PageView> {
  const { path, contract, amendment } = await enterAmendment(ctx);
  await ctx.requireRecent();
  if (!amendment?.isOpen) return notNow('Sign the new terms', path, contract);
  const body = (
    <>
      <AgreementText of={amendment} />
      <Form>
        <OperationId />
        <input type="hidden" name="digest" value={amendment.digest} />
        <ConfirmButtons label="Sign these terms" back={`${path}/contracts/${contract.id}`} keep="Do not sign now" />
      </Form>
    </>
  );
  const lead =
    'From your signature on they hold for all work that is not approved yet. Until then the present terms hold.';
  return { title: 'Sign the new terms', lead, crumbs: [crumbOf(path, contract)], body };
}

export async function signAmendment(ctx: ConsoleContext): Promise<PageResponse> {
  const { path, contract, amendment } = await enterAmendment(ctx);
  if (amendment === undefined) return notNow('Sign the new terms', path, contract);
  const { id } = contract;
  // Also for terms that are signed already: a form that is sent twice is the same operation, with the same answer.
  const given = { id, number: amendment.number, digest: textOf(ctx, 'digest'), ...fromOf(ctx) };
  try {
    await ctx.mutate(signMyAmendment, given, operationIn(ctx));
  } catch (error) {
    if (error instanceof DomainError && error.code === 'INVALID_STATE')
      return notNow('Sign the new terms', path, contract);
    throw error;
  }
  return { to: `${path}/contracts/${id}`, notice: 'You have signed the new terms.' };
}

/** Evidence of a signature. */
function fromOf(ctx: ConsoleContext) {
  return { clientAddress: ctx.request.ip, browser: ctx.request.headers['user-agent'] ?? '' };
}

export async function showChanges(ctx: ConsoleContext): Promise<PageView> {
  const { path } = await requireWorker(ctx);
  const contract = await myContractIn(ctx);
  return canSign(contract) ? changesPage(path, contract, ctx) : notNow('Ask for changes', path, contract);
}

export async function sendChanges(ctx: ConsoleContext): Promise<PageResponse> {
  const { path } = await requireWorker(ctx);
  const contract = await myContractIn(ctx);
  try {
    await ctx.mutate(askForContractChanges, { id: contract.id, reason: reasonOf(ctx) }, operationIn(ctx));
  } catch (error) {
    if (error instanceof DomainError && error.code === 'INVALID_STATE')
      return notNow('Ask for changes', path, contract);
    return { ...changesPage(path, contract, ctx), problems: problemsOf(error, REASON_WORDING) };
  }
  return { to: `${path}/contracts/${contract.id}`, notice: 'The business sees what you ask for.' };
}

function changesPage(path: string, contract: MyContract, ctx: ConsoleContext): PageView {
  const body = (
    <Form>
      <OperationId />
      <ReasonField typed={ctx.typed} label="What should be changed?" />
      <ConfirmButtons label="Ask for changes" back={`${path}/contracts/${contract.id}`} keep="Back" />
    </Form>
  );
  const lead = 'The business reads it and decides. A changed contract comes to you as a new one to sign.';
  return { title: 'Ask for changes', lead, crumbs: [crumbOf(path, contract)], body };
}

/** The contract has changed since the page was opened. */
function notNow(what: string, path: string, { id, title }: MyContract): PageView {
  const body = (
    <p>
      Nothing was done. <a href={`${path}/contracts/${id}`}>Open the contract</a> to see what it is now.
    </p>
  );
  return { title: `${what}: not possible now`, lead: title, body, status: 409 };
}

function crumbOf(path: string, { id, title }: MyContract): Crumb {
  return { label: title, path: `${path}/contracts/${id}` };
}
