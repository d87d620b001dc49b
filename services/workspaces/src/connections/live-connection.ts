/**
 * What lives with a connection `c` that was asked for by `a`: its client as the workspace says, its membership, and of the
 * embedded authorization server the grant by which somebody signed in. For a statement's `from`.
 */
export const LIVE_CONNECTION = `
     join mcp_client k on k.workspace_id = c.workspace_id and k.id = c.client_id and k.status = 'enabled'
     join membership m on m.workspace_id = c.workspace_id and m.id = c.membership_id and m.left_at is null
     join business b on b.id = c.workspace_id
     where c.revoked_at is null and (a."grantId" is null or exists (
       select from mcp_grant g
       join oauth_artifact t on t.kind = 'Grant' and t.grant_id = g.id and t.expires_at > now()
       where g.id = a."grantId" and g.connection_id = c.id))`;
