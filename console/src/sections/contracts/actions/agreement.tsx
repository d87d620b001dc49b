import { DefinitionList, type PageView, Time } from '@payroll/pages';
import type { VNode } from 'preact';
import type { ConsoleContext } from '../../../console-context.js';
import { idIn, requireMember, type WorkspaceContext } from '../../../workspace-context.js';
import { Day } from '../../../pieces.js';
import { contractWith, crumbOf, type Contract, type Signature } from './operations.js';

/** The text of a contract by itself, to be read and printed. */
export async function agreementPage(ctx: ConsoleContext): Promise<PageView> {
  const visited = await requireMember(ctx);
  const contract = await contractWith(visited, idIn(ctx));
  return {
    title: contract.title,
    lead: leadOf(contract),
    crumbs: [crumbOf(visited.path, contract)],
    body: (
      <>
        <Agreement of={contract} by={visited} />
        <p class="actions">
          <a href={`${visited.path}/${contract.id}`}>Back to the contract</a>
        </p>
      </>
    ),
  };
}

function leadOf({ agreement: { isFixed, signatures }, status }: Contract): string {
  if (isFixed) return 'This text was sent for signature. It does not change any more.';
  if (signatures.length > 0) return 'This contract was signed before its text was kept. This is what it says today.';
  return status === 'cancelled'
    ? 'This contract was cancelled.'
    : 'This text may still change until it is sent for signature.';
}

/** The agreed text, its signatures and its amendments. */
interface AgreementProps {
  of: Contract;
  by: Pick<WorkspaceContext, 'workspaceId' | 'names'>;
}

export function Agreement({ of: { agreement }, by: { workspaceId, names } }: AgreementProps): VNode {
  return (
    <>
      {agreement.changesAsked && <p class="notice">The worker asks for changes: {agreement.changesAsked}</p>}
      <AgreementText of={agreement} />
      <p class="hint">
        The business is {names.workspace} (workspace {workspaceId}).
      </p>
      <section aria-labelledby="signatures">
        <h2 id="signatures">Signatures</h2>
        <DefinitionList
          of={{
            'For the business': <Signed signature={agreement.signatures.find(({ side }) => side === 'business')} />,
            'The worker': <Signed signature={agreement.signatures.find(({ side }) => side === 'worker')} />,
          }}
        />
      </section>
      {agreement.amendments.map((amendment) => (
        <section key={amendment.number} aria-labelledby={`amendment-${amendment.number}`}>
          <h2 id={`amendment-${amendment.number}`}>Amendment {amendment.number}</h2>
          {isOpenAmendment(amendment) && <p>It waits for the signature of the worker.</p>}
          {amendment.withdrawnAt !== null && <p>It was withdrawn before the worker signed it, and never held.</p>}
          <AgreementText of={amendment} />
          <DefinitionList
            of={{
              Made: <Time at={amendment.madeAt} />,
              'Holds from': amendment.holdsFrom && <Day of={amendment.holdsFrom} />,
              'The worker': amendment.signatures.length > 0 && <Signed signature={amendment.signatures[0]} />,
            }}
          />
        </section>
      ))}
    </>
  );
}

export function isOpenAmendment({ holdsFrom, withdrawnAt }: { holdsFrom: string | null; withdrawnAt: string | null }) {
  return holdsFrom === null && withdrawnAt === null;
}

export function AgreementText({ of: { text, digest } }: { of: Record<'text' | 'digest', string> }): VNode {
  return (
    <>
      <div class="agreement">{text}</div>
      <p class="hint">
        SHA-256 of this text: <code>{digest}</code>
      </p>
    </>
  );
}

function Signed({ signature }: { signature: Signature | undefined }): VNode {
  if (signature === undefined) return <>Not signed yet</>;
  const { signedAt, signedBy, hasSecondFactor } = signature;
  return (
    <>
      {signedBy === null ? 'Signed' : `Signed by ${signedBy.memberName}`}, <Time at={signedAt} />
      {hasSecondFactor !== null && (hasSecondFactor ? ', with a second factor' : ', with a password alone')}
    </>
  );
}
