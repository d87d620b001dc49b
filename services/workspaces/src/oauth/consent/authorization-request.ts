import { SCOPES, type Scope } from '@payroll/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors, type default as Provider } from 'oidc-provider';
import { scopesOfToken } from '../../domain/connection.js';
import { hostOf } from '../../domain/oauth-client.js';
import type { AuthorizationServer } from '../authorization-server.js';

/** What a client asks of the person in this browser. */
export interface AuthorizationRequest {
  provider: Provider;
  interaction: Awaited<ReturnType<Provider['interactionDetails']>>;
  client: { id: string; name: string; hosts: readonly string[] };
  redirectUri: string;
  /** Everything it asks for, and what of it concerns the API. */
  scopes: readonly string[];
  apiScopes: readonly Scope[];
}

/** Says that the sign-in is over, or began in another browser; null instead of a library's error. */
export async function readAuthorizationRequest(
  server: AuthorizationServer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<AuthorizationRequest | null> {
  const provider = await server.provider();
  const interaction = await findInteraction(provider, request, reply);
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
    apiScopes: SCOPES.filter((each) => scopesOfToken(scopes).includes(each)),
  };
}

async function findInteraction(provider: Provider, request: FastifyRequest, reply: FastifyReply) {
  try {
    const found = await provider.interactionDetails(request.raw, reply.raw);
    // The cookie names the sign-in under way; the address must be of the same one.
    const { uid } = request.params as { uid?: string };
    return found.uid === uid ? found : null;
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
