import { DomainError, type Origin } from '@payroll/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from '../../accounts/sessions.js';
import { personIn } from '../../domain/permissions.js';
import { membershipsOfAccount, type OwnMembership } from '../../queries/memberships-of-account.js';
import { Detour, requireSignIn } from '../../web/visitor.js';
import type { Web } from '../../web/web.js';
import type { AuthorizationServer } from '../authorization-server.js';
import { INTERACTION_PATH } from '../settings.js';
import { readAuthorizationRequest, type AuthorizationRequest } from './authorization-request.js';

/** A client's request, and the person who is asked about it. */
export interface Asked {
  request: AuthorizationRequest;
  visitor: SignedIn;
  memberships: readonly OwnMembership[];
  /** Of this sign-in; its forms go below. */
  path: string;
}

/**
 * @throws Detour where nobody is signed in, or not recently enough for the client: they stay signed in, as anybody can
 * make up such a link; DomainError `INVALID_STATE` when the sign-in is over, was decided, or
 * began in another browser, and for who belongs to no workspace.
 */
export async function readAsked(
  web: Web,
  server: AuthorizationServer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Asked> {
  const visitor = await requireSignIn(web, request);
  const asked = await readAuthorizationRequest(server, request, reply);
  if (asked && isSignInTooOld(asked, visitor)) {
    throw new Detour('password', `${INTERACTION_PATH}/${asked.interaction.uid}`);
  }
  if (!asked) throw invalid('This sign-in is over. Start it again in the application that you want to connect.');
  const memberships = await membershipsOfAccount(web.em, visitor.account.id);
  if (memberships.length === 0) {
    throw invalid('You belong to no workspace, so there is nothing to connect to. Ask an admin for an invitation.');
  }
  return { request: asked, visitor, memberships, path: `${INTERACTION_PATH}/${asked.interaction.uid}` };
}

/** Clients may ask that somebody has just signed in, or not too long ago (OpenID Connect Core §3.1.2.1). */
function isSignInTooOld({ interaction }: AuthorizationRequest, { authenticatedAt }: SignedIn): boolean {
  const { prompt, max_age: maxAge } = interaction.params;
  const ageS = interaction.iat - Date.parse(authenticatedAt) / 1000;
  const mustBeFresh = typeof prompt === 'string' && prompt.split(' ').includes('login');
  return (mustBeFresh && ageS > 0) || (maxAge !== undefined && ageS > Number(maxAge));
}

export function membershipIn({ memberships }: Asked, workspaceId: string | null): OwnMembership | null {
  return memberships.find((each) => each.workspaceId === workspaceId) ?? null;
}

/** For which workspace: the only one, or the one that was chosen; null when that is still open. */
export function settledMembership(asked: Asked): OwnMembership | null {
  const [only, ...others] = asked.memberships;
  if (only && others.length === 0) return only;
  const chosen = asked.request.interaction.result?.['chosen'] as Choice | undefined;
  // What another account chose in this browser does not count.
  return chosen?.accountId === asked.visitor.account.id ? membershipIn(asked, chosen.workspaceId) : null;
}

interface Choice {
  accountId: string;
  workspaceId: string;
}

/** The choice is kept with the sign-in under way: no other sign-in of the same browser has it. */
export async function keepChoice({ request: { interaction }, visitor }: Asked, workspaceId: string): Promise<void> {
  const chosen: Choice = { accountId: visitor.account.id, workspaceId };
  interaction.result = { chosen };
  await interaction.persist();
}

/** Somebody at work on these pages. */
export function originOf(membership: OwnMembership, { sessionId }: SignedIn, request: FastifyRequest): Origin {
  return { actor: personIn(membership, sessionId), via: 'web', requestId: request.id };
}

function invalid(message: string): DomainError {
  return new DomainError('INVALID_STATE', message);
}
