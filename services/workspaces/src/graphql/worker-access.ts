import { DomainError, ADMINS_OR_INTERNAL, requireFound, type Actor, type Origin } from '@payroll/kernel';
import {
  field,
  NULLABLE,
  MutationCtx,
  VisibleTo,
  type ServiceDependencies,
  type SubgraphContext,
} from '@payroll/service';
import { Arg, Ctx, ID, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { newInvitationLink } from '../accounts/links.js';
import { forgetMail } from '../commands/invitations.js';
import { endWorkerAccess, inviteWorker, leaveAsWorker } from '../commands/worker-access.js';
import { type Mailer, sendWhilePageWaits } from '../mail/mailer.js';
import { workerInvitationMail } from '../mail/texts.js';
import { findInviter, askProfile, findAccess, findWorkerInvitation } from '../queries/members.js';
import { ReaderOf, SUPPORTERS } from './readers.js';

@VisibleTo({ teams: SUPPORTERS, people: ['admin'] })
@ObjectType({ description: 'Whether a worker signs in to this workspace, and how they come to.' })
class WorkerAccess {
  @field.time('Since when they sign in; null where they do not.', NULLABLE) joinedAt!: string | null;
  @field.text('The address that they sign in with; null where they do not.', NULLABLE) email!: string | null;
  @field.id('Of the open invitation; null where there is none.', NULLABLE) invitationId!: string | null;
  @field.text('The address that the open invitation was mailed to.', NULLABLE) invitedEmail!: string | null;
  @field.time('Until when the open invitation is good.', NULLABLE) invitedUntil!: string | null;
}

const WORKER = { description: 'The id of the worker.' };
const NO_MAIL = new DomainError(
  'INVALID_STATE',
  'This deployment sends no mail. A worker is invited by mail only, so that nobody else gets the link.',
);

const NOT_SENT = new DomainError(
  'SERVICE_UNAVAILABLE',
  'The mail could not be sent. Invite the worker again in a few minutes.',
);

/** The access of workers to their own contracts. Contracts owns the workers themselves. */
@Resolver()
export class WorkerAccessResolver {
  constructor(
    private readonly parts: Pick<ServiceDependencies, 'em' | 'commands' | 'bus'>,
    private readonly site: { origin: string; mailer: Mailer | null },
  ) {}

  @VisibleTo({ teams: SUPPORTERS, people: ['admin'] })
  @Query(() => WorkerAccess, { description: 'Whether a worker signs in, or is invited to.' })
  workerAccess(
    @Arg('workerId', () => ID, WORKER) workerId: string,
    @ReaderOf(ADMINS_OR_INTERNAL) { workspaceId }: Actor,
  ): Promise<WorkerAccess> {
    return this.read(workspaceId, workerId);
  }

  /** Takes no operationId: a repeated request makes a new link, which replaces the previous one. */
  @VisibleTo({ teams: ['service'] })
  @Mutation(() => WorkerAccess, {
    description: 'Mails the worker a link with which they choose how to sign in. An earlier link ends.',
  })
  async inviteWorker(
    @Arg('workerId', () => ID, WORKER) workerId: string,
    @Ctx() { origin }: SubgraphContext,
  ): Promise<WorkerAccess> {
    const { mailer } = this.site;
    if (mailer === null) throw NO_MAIL;
    const { workspaceId } = origin.actor;
    const { name, email } = await this.profile(workspaceId, workerId);
    const { link, ...kept } = newInvitationLink(this.site.origin);
    const { id } = await this.parts.commands.run(inviteWorker, { ...kept, workerId, name, email }, origin);
    if (id !== kept.id) return await this.read(workspaceId, workerId);
    const about = { ...(await findInviter(this.parts.em, origin.actor)), link };
    const mail = workerInvitationMail(email, about);
    if (!(await sendWhilePageWaits(mailer, mail, () => forgetMail(this.parts.em, kept.id)))) throw NOT_SENT;
    return await this.read(workspaceId, workerId);
  }

  @VisibleTo({ teams: ['operations'] })
  @Mutation(() => WorkerAccess, {
    description:
      'The worker signs in no more. Once they have signed something, only they or an internal team can end it.',
  })
  async endWorkerAccess(
    @Arg('workerId', () => ID, WORKER) workerId: string,
    @Arg('reason', () => String, { ...NULLABLE, description: 'Why; asked of internal teams.' })
    reason: string | null = null,
    @MutationCtx() origin: Origin,
  ): Promise<WorkerAccess> {
    const { workspaceId } = origin.actor;
    const { hasSigned } = await this.profile(workspaceId, workerId);
    const input = { workerId, hasSigned, reason };
    await this.parts.commands.run(endWorkerAccess, input, origin);
    return await this.read(workspaceId, workerId);
  }

  @VisibleTo({ people: ['worker'] })
  @Mutation(() => Boolean, { description: 'The worker leaves: they sign in to this workspace no more.' })
  async leaveAsWorker(@MutationCtx() origin: Origin): Promise<boolean> {
    await this.parts.commands.run(leaveAsWorker, {}, origin);
    return true;
  }

  /** @throws DomainError `NOT_FOUND` */
  private async profile(workspaceId: string, workerId: string) {
    return requireFound(await askProfile(this.parts, { workspaceId, workerId }), 'The worker');
  }

  private async read(workspaceId: string, workerId: string): Promise<WorkerAccess> {
    const which = { workspaceId, workerId };
    const { em } = this.parts;
    const [access, invitation] = await Promise.all([findAccess(em, which), findWorkerInvitation(em, which)]);
    return {
      joinedAt: access?.joinedAt ?? null,
      email: access?.email ?? null,
      invitationId: invitation?.id ?? null,
      invitedEmail: invitation?.email ?? null,
      invitedUntil: invitation?.expiresAt ?? null,
    };
  }
}
