import { ROLES, requireFound, requireApplication, requireScope } from '@payroll/kernel';
import {
  byKeys,
  field,
  loadById,
  NULLABLE,
  VisibleTo,
  Principal,
  type ServiceDependencies,
  type SubgraphContext,
  TERMS_READERS,
} from '@payroll/service';
import { Ctx, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { digestOf, textOfAgreement } from '../domain/agreement-text.js';
import { completionProblems, toCompletionProblem } from '../domain/completion.js';
import { SIGNING_SIDES, type SigningSide } from '../domain/contract.js';
import { knowBusiness, fixedTexts, type FixedText } from '../queries/agreements.js';
import * as store from '../store/views.js';
import { Contract } from './contract-types.js';
import { enumOf } from './enums.js';

@VisibleTo({ teams: TERMS_READERS, people: ROLES })
@ObjectType({ description: 'That one side signed the text.' })
class AgreementSignature {
  @field.of(() => enumOf(SIGNING_SIDES), 'Whose signature it is.') side!: SigningSide;
  @field.time('When it signed.') signedAt!: string;
  @field.of(() => Principal, 'Who signed in person; null where an internal team noted the signature.', NULLABLE)
  signedBy!: Principal | null;
  @field.boolean('Whether a worker gave a second factor for it; null where it is not known.', NULLABLE)
  hasSecondFactor!: boolean | null;
}

@VisibleTo({ teams: TERMS_READERS, people: ROLES })
@ObjectType({ description: 'Terms that changed while the contract was active.' })
class AgreementAmendment {
  @field.int('The first is 1.') number!: number;
  @field.text('As people read it.') text!: string;
  @field.text('SHA-256 of the text in UTF-8, in hexadecimal.') digest!: string;
  @field.day('From when on the terms hold; null while the worker has not signed them.', NULLABLE)
  holdsFrom!: string | null;
  @field.time('When it was withdrawn; null unless it was.', NULLABLE) withdrawnAt!: string | null;
  @field.time('When the terms were changed.') madeAt!: string;
  @field.of(() => [AgreementSignature], 'Who has signed it: the worker, where they sign in.')
  signatures!: AgreementSignature[];
}

@VisibleTo({ teams: TERMS_READERS, people: ROLES })
@ObjectType({ description: 'The contract as both sides read and sign it.' })
class ContractAgreement {
  @field.text('As people read it.') text!: string;
  @field.text('SHA-256 of the text in UTF-8, in hexadecimal; what is signed.') digest!: string;
  @field.boolean('Whether the text was sent for signature and stays as it is.') isFixed!: boolean;
  @field.of(() => [AgreementSignature], 'Who has signed it, in their order.') signatures!: AgreementSignature[];
  @field.of(() => [AgreementAmendment], 'What was changed since, in its order.') amendments!: AgreementAmendment[];
  @field.text('What the worker asks to be changed before they sign; null where they do not.', NULLABLE)
  changesAsked!: string | null;
}

@VisibleTo({ teams: TERMS_READERS, people: ROLES })
@ObjectType({ description: 'What keeps a draft from being verified.' })
class DraftLack {
  @field.text('Where, such as compensation.rate.') path!: string;
  @field.text('Of which kind, such as required.') code!: string;
  @field.text('What to do about it.') message!: string;
}

@Resolver(() => Contract)
export class AgreementResolver {
  private readonly agreedOn;
  private readonly textsOf;

  constructor(private readonly parts: Pick<ServiceDependencies, 'em' | 'learn'>) {
    const { em } = parts;
    this.agreedOn = byKeys(em, store.agreedContracts);
    this.textsOf = fixedTexts(em);
  }

  @VisibleTo({ teams: TERMS_READERS })
  @FieldResolver(() => ContractAgreement, { description: 'Its text: what is signed. Not for credentials.' })
  async agreement(@Root() { id }: store.Contract, @Ctx() context: SubgraphContext): Promise<ContractAgreement> {
    const agreed = await this.agreed(id, context);
    const [fixed, ...changes] = withContract((await loadById(context, this.textsOf, id)) ?? []);
    const amendments = changes.map((each) => ({ ...each, signatures: signaturesOf(each) }));
    const text =
      fixed?.text ?? textOfAgreement({ ...agreed, business: await knowBusiness(this.parts, agreed.workspaceId) });
    const digest = fixed?.digest ?? digestOf(text);
    const signatures = signaturesOf(fixed ?? agreed);
    // The signature of the worker ends the request.
    const changesAsked = fixed?.workerSignedAt === null ? fixed.changesAsked : null;
    return { text, digest, isFixed: fixed !== null, signatures, amendments, changesAsked };
  }

  @VisibleTo({ teams: TERMS_READERS })
  @FieldResolver(() => [DraftLack], {
    description: 'All that a draft lacks before it can be submitted for verification, and what in it cannot be paid.',
  })
  async missing(@Root() { id, status }: store.Contract, @Ctx() context: SubgraphContext): Promise<DraftLack[]> {
    const agreed = await this.agreed(id, context);
    return status === 'draft' ? completionProblems(agreed).map(toCompletionProblem) : [];
  }

  private async agreed(id: string, context: SubgraphContext): Promise<store.AgreedContract> {
    requireApplication(context.origin.actor);
    requireScope(context.origin.actor, 'read');
    return requireFound(await loadById(context, this.agreedOn, id), 'The contract');
  }
}

/** The contract's own text first; null if it was signed before texts were stored. */
function withContract(texts: readonly FixedText[]): [FixedText | null, ...FixedText[]] {
  const [first, ...rest] = texts;
  return first?.number === 0 ? [first, ...rest] : [null, ...texts];
}

type Signed = Pick<FixedText, 'businessSignedAt' | 'workerSignedAt'> &
  Partial<Pick<FixedText, 'businessSignedBy' | 'workerSignedBy' | 'workerProof'>>;

function signaturesOf(signed: Signed): AgreementSignature[] {
  return SIGNING_SIDES.flatMap((side) => {
    const signedAt = signed[`${side}SignedAt`];
    const by = signed[`${side}SignedBy`];
    const hasSecondFactor = (side === 'worker' ? signed.workerProof?.hasSecondFactor : null) ?? null;
    return signedAt === null ? [] : [{ side, signedAt, signedBy: by ? { id: by } : null, hasSecondFactor }];
  }).toSorted((a, b) => (a.signedAt < b.signedAt ? -1 : 1));
}
