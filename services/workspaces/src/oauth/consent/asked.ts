import { DomainError, SCOPES } from '@payroll/kernel';
import { Detour } from '@payroll/pages';
import { errors, type default as Provider } from 'oidc-provider';
import type { SignedIn } from '../../accounts/sessions.js';
import { scopesOfToken } from '../../domain/connection.js';
import { hostOf } from '../../domain/oauth-client.js';
import { membershipsOfAccount, type OwnMembership } from '../../queries/members.js';
import type { OwnExchange } from '../../web/exchange.js';
import type { AuthorizationServer } from '../authorization-server.js';
import { INTERACTION_PATH } from '../settings.js';

/** A client's request, and the person who is asked about it. */
export type Asked = Awaited<ReturnType<typeof readAsked>>;

type Choice = Record<'accountId' | 'workspaceId', string>;

type AuthorizationRequest = NonNullable<Awaited<ReturnType<typeof readAuthorizationRequest>>>;

/**
 * @throws Detour where nobody is signed in, or not recently enough for the client: they stay signed in, as anybody can
 * make up such a link; DomainError `INVALID_STATE` for a sign-in that is over, decided or of another browser, and for
 * who belongs to no workspace.
 */
export async function readAsked(server: AuthorizationServer, at: OwnExchange) {
  const visitor = await at.requireSignIn();
  const request = await readAuthorizationRequest(server, at);
  if (!request) throw invalid('This sign-in is over. Start it again in the application that you want to connect.');
  // Of this sign-in; its forms go below.
  const path = `${INTERACTION_PATH}/${request.interaction.uid}`;
  if (isSignInTooOld(request, visitor)) throw new Detour('password', path);
  const memberships = await membershipsOfAccount(at.web.em, visitor.account.id);
  if (memberships.length === 0) {
    throw invalid('You belong to no workspace, so there is nothing to connect to. Ask an admin for an invitation.');
  }
  return { request, visitor, memberships, path };
}

/** Says that the sign-in is over, or began in another browser; null instead of a library's error. */
async function readAuthorizationRequest(server: AuthorizationServer, at: OwnExchange) {
  const provider = await server.provider();
  const interaction = await findInteraction(provider, at);
  // What was decided stays decided, until the client has its answer.
  if (!interaction || interaction.result?.consent || interaction.result?.error) return null;
  const { client_id: clientId, redirect_uri: redirectUri, scope } = interaction.params;
  const client = typeof clientId === 'string' ? await provider.Client.find(clientId) : undefined;
  if (!client || typeof redirectUri !== 'string') return null;
  const scopes = typeof scope === 'string' ? scope.split(' ') : [];
  return {
    provider,
    interaction,
    client: {
      id: client.clientId,
      name: client.clientName ?? client.clientId,
      hosts: hostsOf(client.clientId, redirectUri),
    },
    redirectUri,
    scopes,
    /** What of it concerns the API. */
    apiScopes: SCOPES.filter((each) => scopesOfToken(scopes).includes(each)),
  };
}

async function findInteraction(provider: Provider, at: OwnExchange) {
  try {
    const found = await provider.interactionDetails(at.request.raw, at.reply.raw);
    // The cookie names the sign-in under way; the address must be of the same one.
    return found.uid === at.param('uid') ? found : null;
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return null;
    throw error;
  }
}

/** Where it publishes who it is, if it does, and where the answer goes: the second nobody can pretend. */
function hostsOf(clientId: string, redirectUri: string): string[] {
  const published = clientId.startsWith('https://') ? [new URL(clientId).host] : [];
  return [...new Set([...published, hostOf(redirectUri)])];
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

/** The choice is kept with the sign-in under way: no other sign-in of the same browser has it. */
export async function keepChoice({ request: { interaction }, visitor }: Asked, workspaceId: string): Promise<void> {
  const chosen: Choice = { accountId: visitor.account.id, workspaceId };
  interaction.result = { chosen };
  await interaction.persist();
}

function invalid(message: string): DomainError {
  return new DomainError('INVALID_STATE', message);
}
