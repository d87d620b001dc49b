import type { Role } from '@payroll/kernel';
import { textOf, type ButtonProps, type SentForm, type FieldMessages } from '@payroll/pages';
import type { VNode } from 'preact';
import { EDITORS, type WorkspaceContext } from '../../../workspace-context.js';
import { Agreement, isOpenAmendment } from './agreement.js';
import * as change from './operations.js';
import type { Contract } from './operations.js';
import {
  EndFields,
  endOf,
  ReasonField,
  REASON_WORDING,
  TermsFields,
  termsOf,
  TERMS_WORDING,
  valuesOfTerms,
} from './fields.js';

/** The contract and the revision that the person saw. */
type ActionTarget = { id: string; expectedRevision: number };

/** The state that decides which actions are available. */
interface Standing {
  status: string;
  deletedAt: string | null;
  missing: readonly unknown[];
  details: { businessSignedAt: string | null };
}

/** Something that is done with a contract, on a page of its own. */
export interface ContractAction {
  slug: string;
  /** The label of the button and the title of the page. */
  label: string;
  look?: ButtonProps['look'];
  roles: readonly Role[];
  from: readonly string[];
  /** A condition beyond the status. */
  isOpen?: (contract: Standing) => boolean;
  /** The explanation of what the action does. */
  consequence: string;
  fields?: (contract: Contract, typed: SentForm | null) => VNode;
  shows?: (contract: Contract, visited: WorkspaceContext) => VNode;
  done: string;
  /** The action whose page follows; without one the contract's page does. */
  next?: string;
  /** The initial values of its fields, by name. */
  values?: (contract: Contract) => Readonly<Record<string, string>>;
  wording?: FieldMessages;
  /** `changed`: the fields that were changed. Not called when none was. @returns a notice instead of `done` */
  perform: (
    visited: WorkspaceContext,
    aim: ActionTarget,
    form: SentForm,
    operationId: string,
    changed: ReadonlySet<string>,
  ) => Promise<string | void>;
  /** The notice when a form with fields was sent unchanged. */
  unchanged?: string;
}

const DECIDE: readonly Role[] = ['admin'];
const BEFORE_ITS_END: readonly string[] = [
  ...['draft', 'pending_verification', 'ready_for_signature', 'pending_signature', 'signed', 'active', 'offboarding'],
];

/** The terms that wait for the signature of a worker who signs in (ADR 29). */
const NEED_WORKER: ReadonlySet<string> = new Set(['rate', 'paymentDueDays']);

/** An action without fields of its own. */
const plain =
  (operation: (typeof change)['verify']): ContractAction['perform'] =>
  async ({ mutate }, aim, _form, operationId) => {
    await mutate(operation, aim, operationId);
  };

const SET_END = {
  fields: (contract, typed) => <EndFields contract={contract} typed={typed} />,
  wording: TERMS_WORDING,
  perform: async ({ mutate }, aim, form, id) =>
    void (await mutate(change.startOffboarding, { ...aim, ...endOf(form) }, id)),
} satisfies Partial<ContractAction>;

/** The commands from a draft to the signatures, by the status that each starts from. */
const UNTIL_SIGNATURES = {
  draft: change.submit,
  pending_verification: change.verify,
  ready_for_signature: change.requestSignatures,
};
const BEFORE_SIGNATURES = Object.keys(UNTIL_SIGNATURES);

export const CONTRACT_ACTIONS: readonly ContractAction[] = [
  {
    slug: 'send',
    label: 'Send for signature',
    roles: DECIDE,
    from: BEFORE_SIGNATURES,
    isOpen: ({ status, missing }) => status !== 'draft' || missing.length === 0,
    consequence:
      'You confirm that the contract says what it should. From now on the text above stays exactly as it is, and both sides can sign it: it cannot be corrected, only cancelled.',
    shows: (contract, visited) => <Agreement of={contract} by={visited} />,
    fields: ({ status }) => <input type="hidden" name="from" value={status} />,
    done: 'Sent for signature. Its text is fixed.',
    next: 'sign',
    // By the status that was shown, so a form that is sent twice repeats the same commands.
    perform: async ({ mutate }, { id, expectedRevision }, form, operationId) => {
      const steps = Object.values(UNTIL_SIGNATURES).slice(BEFORE_SIGNATURES.indexOf(textOf(form, 'from')));
      for (const [n, step] of steps.entries())
        await mutate(step, { id, expectedRevision: expectedRevision + n }, operationId);
    },
  },
  {
    slug: 'submit',
    label: 'Submit for verification',
    roles: EDITORS,
    from: ['draft'],
    isOpen: ({ missing }) => missing.length === 0,
    consequence: 'An admin verifies it next. It cannot be changed unless it is returned to draft.',
    done: 'Submitted for verification.',
    perform: plain(change.submit),
  },
  {
    slug: 'verify',
    label: 'Verify without sending',
    look: 'plain',
    roles: DECIDE,
    from: ['pending_verification'],
    consequence:
      'You confirm that the contract says what it should. After this it cannot be corrected, only cancelled, and an admin sends it for signature.',
    shows: (contract, visited) => <Agreement of={contract} by={visited} />,
    done: 'Verified. It is ready for signature.',
    perform: plain(change.verify),
  },
  {
    slug: 'return',
    label: 'Back to draft',
    look: 'plain',
    roles: DECIDE,
    from: ['pending_verification'],
    consequence: 'It becomes a draft again, to be corrected and submitted anew.',
    fields: (_contract, typed) => <ReasonField typed={typed} label="What is to be corrected?" />,
    done: 'It is a draft again.',
    wording: REASON_WORDING,
    perform: async ({ mutate }, aim, form, id) =>
      void (await mutate(change.returnToDraft, { ...aim, reason: textOf(form, 'reason') }, id)),
  },
  {
    slug: 'sign',
    label: 'Sign for the business',
    roles: DECIDE,
    from: ['pending_signature'],
    isOpen: ({ details }) => details.businessSignedAt === null,
    consequence: 'You sign the text above in the name of the business. A signature cannot be taken back.',
    fields: ({ agreement }) => <input type="hidden" name="digest" value={agreement.digest} />,
    shows: (contract, visited) => <Agreement of={contract} by={visited} />,
    done: 'Signed for the business.',
    perform: async ({ mutate }, aim, form, id) =>
      void (await mutate(change.signForBusiness, { ...aim, digest: textOf(form, 'digest') || null }, id)),
  },
  {
    slug: 'activate',
    label: 'Activate',
    roles: DECIDE,
    from: ['signed'],
    consequence: 'From now on work can be submitted under this contract.',
    done: 'The contract is active.',
    perform: plain(change.activate),
  },
  {
    slug: 'terms',
    label: 'Change terms',
    look: 'plain',
    roles: DECIDE,
    from: ['active'],
    consequence:
      'The new terms hold from today, for all work that is not approved yet. They become an amendment with a text and a digest of its own; what was signed stays as it is. If the worker signs in here, a new rate and new due days wait for their signature, and hold from then on. If timesheets no longer need approval, those that wait are approved, and paid as the others.',
    fields: (contract, typed) => <TermsFields contract={contract} typed={typed} />,
    values: valuesOfTerms,
    done: 'The terms are changed.',
    unchanged: 'You changed nothing: the terms are as they were.',
    wording: TERMS_WORDING,
    perform: async ({ mutate }, aim, form, id, changed) => {
      const { changed: contract } = await mutate(change.changeTerms, { ...aim, ...termsOf(form, changed) }, id);
      const proposed = [...changed].filter((name) => NEED_WORKER.has(name));
      // Terms of an earlier form may wait while this one changed only what holds at once.
      if (proposed.length === 0 || !contract.agreement.amendments.some(isOpenAmendment)) return undefined;
      return proposed.length === changed.size
        ? 'The new terms wait for the signature of the worker.'
        : 'The new terms of pay wait for the signature of the worker. The other changes hold from today.';
    },
  },
  {
    slug: 'end',
    label: 'End the contract',
    look: 'plain',
    roles: DECIDE,
    from: ['active'],
    consequence:
      'Work can be submitted, approved and paid until you mark the contract as completed, also after its last day. Work for days after it can no longer be corrected. New terms that wait for a signature are withdrawn.',
    done: 'The contract is ending.',
    ...SET_END,
  },
  {
    slug: 'last-day',
    label: 'Correct the last day',
    look: 'plain',
    roles: DECIDE,
    from: ['offboarding'],
    consequence: 'Work can be submitted, and corrected, for days up to the last one.',
    done: 'The last day is corrected.',
    ...SET_END,
  },
  {
    slug: 'complete',
    label: 'Mark as completed',
    roles: DECIDE,
    from: ['offboarding'],
    consequence:
      'No more work can be submitted or corrected under it. Work that waits for a review can still be approved and paid; work that is rejected then stays unpaid.',
    done: 'The contract is completed.',
    perform: plain(change.complete),
  },
  {
    slug: 'cancel',
    label: 'Cancel the contract',
    look: 'danger',
    roles: DECIDE,
    from: BEFORE_ITS_END,
    consequence:
      'It ends permanently, and no more work can be submitted. Payments that exist are made all the same, and work that waits for a review can still be approved and paid. Once it was sent for signature, the worker reads the reason too.',
    fields: (_contract, typed) => <ReasonField typed={typed} label="Why is it cancelled?" />,
    done: 'The contract is cancelled.',
    wording: REASON_WORDING,
    perform: async ({ mutate }, aim, form, id) =>
      void (await mutate(change.cancel, { ...aim, reason: textOf(form, 'reason') }, id)),
  },
  {
    slug: 'delete',
    label: 'Delete',
    look: 'danger',
    roles: DECIDE,
    from: ['draft', 'cancelled'],
    consequence:
      'It disappears from your lists. Its reference stays taken, integrations see that it was deleted, and a worker who has signed it can still read it. Work that waits for a review can still be approved and paid.',
    done: 'The contract is deleted.',
    perform: plain(change.remove),
  },
];

/** The actions that this role may perform on the contract in its current state. */
export function openActions(role: Role, contract: Standing): ContractAction[] {
  return CONTRACT_ACTIONS.filter((action) => action.roles.includes(role) && isOpen(action, contract));
}

export function isOpen({ from, isOpen: also }: ContractAction, contract: Standing): boolean {
  return contract.deletedAt === null && from.includes(contract.status) && (also?.(contract) ?? true);
}
