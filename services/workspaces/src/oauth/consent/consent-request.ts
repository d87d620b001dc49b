import { DomainError, SCOPES } from '@payroll/kernel';
import { SignInRedirect } from '@payroll/pages';
import { errors, type default as Provider } from 'oidc-provider';
import type { SignedInSession } from '../../accounts/sessions.js';
import { scopesOfToken, hostOf } from '../../domain/connection.js';
import { membershipsOfAccount, type AccountMembership } from '../../queries/members.js';
import type { AccountContext } from '../../web/account-context.js';
import type { AuthorizationServer } from '../authorization-server.js';
import { INTERACTION_PATH } from '../settings.js';

/** A client's authorization request, and the signed-in person who decides it. */
export type ConsentRequest = Awaited<ReturnType<typeof readConsentRequest>>;

type Choice = Record<'accountId' | 'workspaceId', string>;

type AuthorizationRequest = NonNullable<Awaited<ReturnType<typeof readAuthorizationRequest>>>;

/**
 * @throws SignInRedirect if nobody is signed in, or not recently enough for the client; a session is kept in that case, since
 * anyone can make up such a link. DomainError `INVALID_STATE` for a request that has expired, is decided or began in
 * another browser, and for a person without a workspace.
 */
export async function readConsentRequest(server: AuthorizationServer, ctx: AccountContext) {
  const visitor = await ctx.requireSignIn();
  const request = await readAuthorizationRequest(server, ctx);
  if (!request) throw invalid('This sign-in has expired. Start it again in the application that you want to connect.');
  // The page of this request; its forms post to paths below it.
  const path = `${INTERACTION_PATH}/${request.interaction.uid}`;
  if (isSignInTooOld(request, visitor)) throw new SignInRedirect('password', path);
  const memberships = await membershipsOfAccount(ctx.web.em, visitor.account.id);
  if (memberships.length === 0) {
    throw invalid(
      'Assistants act for members of a workspace, and this account is a member of none. Ask an admin for an invitation, or sign in to Payroll as before.',
    );
  }
  return { request, visitor, memberships, path };
}

/** Null if the request has expired or began in another browser, instead of a library's error. */
async function readAuthorizationRequest(server: AuthorizationServer, ctx: AccountContext) {
  const provider = await server.provider();
  const interaction = await findInteraction(provider, ctx);
  // A decision is final, even before the client has its answer.
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
    scopes,
    apiScopes: SCOPES.filter((each) => scopesOfToken(scopes).includes(each)),
  };
}

async function findInteraction(provider: Provider, ctx: AccountContext) {
  try {
    const found = await provider.interactionDetails(ctx.request.raw, ctx.reply.raw);
    // The cookie names the current request; the URL must name the same one.
    return found.uid === ctx.param('uid') ? found : null;
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return null;
    throw error;
  }
}

/** As the library keeps it with the request: a consent, or the error that tells the client of a no. */
export type Decision = 'consent' | 'error';

/** Where the browser goes on after this decision, if the person has made it; null for another one or none. */
export async function wayAfter(
  server: AuthorizationServer,
  ctx: AccountContext,
  decision: Decision,
): Promise<string | null> {
  const interaction = await findInteraction(await server.provider(), ctx);
  const { result } = interaction ?? {};
  if (!interaction || result?.[decision] === undefined) return null;
  const isOwn = decision === 'error' || result.login?.accountId === (await ctx.signedIn())?.account.id;
  return isOwn ? interaction.returnTo : null;
}

/**
 * The host of the client's metadata document, if it has one, and the host it redirects to. The redirect host cannot
 * be faked.
 */
function hostsOf(clientId: string, redirectUri: string): string[] {
  const published = clientId.startsWith('https://') ? [new URL(clientId).host] : [];
  return [...new Set([...published, hostOf(redirectUri)])];
}

/** Clients may require a new sign-in, or one not too long ago (OpenID Connect Core §3.1.2.1). */
function isSignInTooOld({ interaction }: AuthorizationRequest, { authenticatedAt }: SignedInSession): boolean {
  const { prompt, max_age: maxAge } = interaction.params;
  const ageS = interaction.iat - Date.parse(authenticatedAt) / 1000;
  const mustBeFresh = typeof prompt === 'string' && prompt.split(' ').includes('login');
  return (mustBeFresh && ageS > 0) || (maxAge !== undefined && ageS > Number(maxAge));
}

export function membershipIn({ memberships }: ConsentRequest, workspaceId: string | null): AccountMembership | null {
  return memberships.find((each) => each.workspaceId === workspaceId) ?? null;
}

/** The membership to connect: the only one, or the chosen one; null if the person has to choose. */
export function chosenMembership(asked: ConsentRequest): AccountMembership | null {
  const [only, ...others] = asked.memberships;
  if (only && others.length === 0) return only;
  const chosen = asked.request.interaction.result?.['chosen'] as Choice | undefined;
  // Ignore a choice that another account made in this browser.
  return chosen?.accountId === asked.visitor.account.id ? membershipIn(asked, chosen.workspaceId) : null;
}

/** Stores the choice with this request, so that other requests of the same browser do not use it. */
export async function keepChoice(
  { request: { interaction }, visitor }: ConsentRequest,
  workspaceId: string,
): Promise<void> {
  const chosen: Choice = { accountId: visitor.account.id, workspaceId };
  interaction.result = { chosen };
  await interaction.persist();
}

function invalid(message: string): DomainError {
  return new DomainError('INVALID_STATE', message);
}
