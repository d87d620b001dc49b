import { Readable } from 'node:stream';
import { DomainError } from '@payroll/kernel';
import {
  type Answer,
  type Crumb,
  Decision,
  type Download,
  Facts,
  Form,
  OperationId,
  type Page,
  problemsOf,
  textOf,
} from '@payroll/pages';
import type { ConsoleExchange } from '../exchange.js';
import { AgreementText } from '../sections/contracts/acts/agreement.js';
import { ReasonField, REASON_WORDING, reasonOf } from '../sections/contracts/acts/fields.js';
import { operationIn } from '../sent.js';
import { canSign, myContractIn, Signed } from './contracts.js';
import { askForContractChanges, type MyContract, signMyAmendment, signMyContract } from './operations.js';
import { workVisit } from './visit.js';

/** The text as it was sent for signature, and what was changed since. */
export async function myAgreementPage(at: ConsoleExchange): Promise<Page> {
  const { path } = await workVisit(at);
  const contract = await myContractIn(at);
  const body = (
    <>
      <AgreementText of={contract} />
      <p>
        <a href={`${path}/contracts/${contract.id}/agreement.txt`}>Download the text</a>
      </p>
      <h2>Signatures</h2>
      <Facts
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
export async function myAgreementText(at: ConsoleExchange): Promise<Download> {
  await workVisit(at);
  const { id, text } = await myContractIn(at);
  return {
    download: `contract-${id}.txt`,
    type: 'text/plain; charset=utf-8',
    content: Readable.from([Buffer.from(text)]),
  };
}

export async function showSign(at: ConsoleExchange): Promise<Page> {
  const { path } = await workVisit(at);
  await at.requireRecent();
  const contract = await myContractIn(at);
  return canSign(contract) ? signPage(path, contract) : notNow('Sign', path, contract);
}

export async function sign(at: ConsoleExchange): Promise<Answer> {
  const { path } = await workVisit(at);
  const contract = await myContractIn(at);
  const given = { id: contract.id, digest: textOf(at, 'digest'), ...fromOf(at) };
  try {
    await at.tell(signMyContract, given, operationIn(at));
  } catch (error) {
    if (error instanceof DomainError && error.code === 'INVALID_STATE') return notNow('Sign', path, contract);
    throw error;
  }
  return { to: `${path}/contracts/${contract.id}`, notice: 'You have signed the contract.' };
}

function signPage(path: string, contract: MyContract): Page {
  const body = (
    <>
      <AgreementText of={contract} />
      <Form>
        <OperationId />
        <input type="hidden" name="digest" value={contract.digest} />
        <Decision label="Sign this text" back={`${path}/contracts/${contract.id}`} keep="Do not sign now" />
      </Form>
    </>
  );
  const lead =
    'Read the text to its end. You sign exactly this text; a signature cannot be taken back. Your e-mail address, your network address, your browser and the time are kept with it.';
  return { title: 'Sign the contract', lead, crumbs: [crumbOf(path, contract)], body };
}

/** A change of terms that waits for the worker, by its number in the address. */
async function enterAmendment(at: ConsoleExchange) {
  const { path } = await workVisit(at);
  const contract = await myContractIn(at);
  const amendment = contract.amendments.find(({ number, isOpen }) => isOpen && String(number) === at.param('number'));
  return { path, contract, amendment };
}

export async function showSignAmendment(at: ConsoleExchange): Promise<Page> {
  const { path, contract, amendment } = await enterAmendment(at);
  await at.requireRecent();
  if (amendment === undefined) return notNow('Sign the new terms', path, contract);
  const body = (
    <>
      <AgreementText of={amendment} />
      <Form>
        <OperationId />
        <input type="hidden" name="digest" value={amendment.digest} />
        <Decision label="Sign these terms" back={`${path}/contracts/${contract.id}`} keep="Do not sign now" />
      </Form>
    </>
  );
  const lead =
    'From your signature on they hold for all work that is not approved yet. Until then the present terms hold.';
  return { title: 'Sign the new terms', lead, crumbs: [crumbOf(path, contract)], body };
}

export async function signAmendment(at: ConsoleExchange): Promise<Answer> {
  const { path, contract, amendment } = await enterAmendment(at);
  if (amendment === undefined) return notNow('Sign the new terms', path, contract);
  const { id } = contract;
  const given = { id, number: amendment.number, digest: textOf(at, 'digest'), ...fromOf(at) };
  await at.tell(signMyAmendment, given, operationIn(at));
  return { to: `${path}/contracts/${id}`, notice: 'You have signed the new terms.' };
}

/** Evidence of a signature. */
function fromOf(at: ConsoleExchange) {
  return { clientAddress: at.request.ip, browser: at.request.headers['user-agent'] ?? '' };
}

export async function showChanges(at: ConsoleExchange): Promise<Page> {
  const { path } = await workVisit(at);
  const contract = await myContractIn(at);
  return canSign(contract) ? changesPage(path, contract, at) : notNow('Ask for changes', path, contract);
}

export async function sendChanges(at: ConsoleExchange): Promise<Answer> {
  const { path } = await workVisit(at);
  const contract = await myContractIn(at);
  try {
    await at.tell(askForContractChanges, { id: contract.id, reason: reasonOf(at) }, operationIn(at));
  } catch (error) {
    if (error instanceof DomainError && error.code === 'INVALID_STATE')
      return notNow('Ask for changes', path, contract);
    return { ...changesPage(path, contract, at), problems: problemsOf(error, REASON_WORDING) };
  }
  return { to: `${path}/contracts/${contract.id}`, notice: 'The business sees what you ask for.' };
}

function changesPage(path: string, contract: MyContract, at: ConsoleExchange): Page {
  const body = (
    <Form>
      <OperationId />
      <ReasonField typed={at.typed} label="What should be changed?" />
      <Decision label="Ask for changes" back={`${path}/contracts/${contract.id}`} keep="Back" />
    </Form>
  );
  const lead = 'The business reads it and decides. A changed contract comes to you as a new one to sign.';
  return { title: 'Ask for changes', lead, crumbs: [crumbOf(path, contract)], body };
}

/** The contract has changed since the page was opened. */
function notNow(what: string, path: string, { id, title }: MyContract): Page {
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
