import type { default as Provider } from 'oidc-provider';

export interface GrantFacts {
  /** The connection's command has noted it under this id. */
  grantId: string;
  accountId: string;
  clientId: string;
  scopes: readonly string[];
  resource: string;
}

/** What somebody allowed a client, as the authorization server keeps it; its tokens live and die with it. */
export async function saveGrant(
  provider: Provider,
  { grantId, accountId, clientId, scopes, resource }: GrantFacts,
): Promise<void> {
  const grant = new provider.Grant({ accountId, clientId });
  grant.jti = grantId;
  grant.addOIDCScope(scopes.join(' '));
  grant.addResourceScope(resource, scopes.join(' '));
  await grant.save();
}
