import { ROLES, DomainError, isSignedIn } from '@payroll/kernel';
import { parseSavedForm } from '@payroll/pages';
import { VisibleTo, type ServiceDependencies, type SubgraphContext } from '@payroll/service';
import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { Sessions } from '../accounts/sessions.js';

const PATH = { description: 'The address of the page that the form stands on.' };

/**
 * Saved forms of people whose session was lost while they typed, for pages of another process. A session gets only
 * its own.
 */
@Resolver()
export class TypedFormResolver {
  private readonly sessions: Sessions;

  constructor(
    { em }: Pick<ServiceDependencies, 'em'>,
    private readonly siteOrigin: string,
  ) {
    this.sessions = new Sessions(em);
  }

  @VisibleTo({ people: [...ROLES, 'worker'] })
  @Mutation(() => String, {
    nullable: true,
    description: 'The fields of the form that waits for this page, as JSON, told once; null where none does.',
  })
  async takeTypedForm(@Arg('path', () => String, PATH) path: string, @Ctx() context: SubgraphContext) {
    const fields = await this.sessions.takeDraft(ownSession(context), path);
    return fields && JSON.stringify(fields);
  }

  @VisibleTo({ people: [...ROLES, 'worker'] })
  @Mutation(() => Boolean, { description: 'Keeps what was typed until its page is shown again; false for no form.' })
  async keepTypedForm(
    @Arg('draft', () => String, { description: 'Path and fields, as JSON.' }) draft: string,
    @Ctx() context: SubgraphContext,
  ): Promise<boolean> {
    const session = ownSession(context);
    const read = parseSavedForm(draft, this.siteOrigin);
    if (read) await this.sessions.keepDraft(session, read);
    return read !== null;
  }
}

/** @throws DomainError `INSUFFICIENT_SCOPE` unless the actor is signed in with a browser */
function ownSession({ origin: { actor } }: SubgraphContext): { sessionId: string } {
  if (isSignedIn(actor) && actor.sessionId !== null) return { sessionId: actor.sessionId };
  throw new DomainError('INSUFFICIENT_SCOPE', 'Only a signed-in person has saved forms.');
}
