import type { FastifyInstance } from 'fastify';

export interface Discovery {
  /** The address that access tokens are made for. */
  publicUrl: string;
  authUrl: string;
}

/** Who one is, not what one may do: that follows from the connection and the role (public-api.md §5). */
const SCOPES = ['openid', 'profile', 'email', 'offline_access'];

/** Where the metadata of the resource at `publicUrl` is: RFC 9728 puts the path of the resource behind it. */
export function metadataUrlOf(publicUrl: string): string {
  const { origin, pathname } = new URL(publicUrl);
  return `${origin}/.well-known/oauth-protected-resource${pathname}`;
}

/** Tells hosts which authorization server to ask (RFC 9728), at both addresses that hosts try. */
export function serveDiscovery(app: FastifyInstance, { publicUrl, authUrl }: Discovery): void {
  const metadata = {
    resource: publicUrl,
    authorization_servers: [authUrl],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Contracts and payroll',
  };
  const paths = new Set(['/.well-known/oauth-protected-resource', new URL(metadataUrlOf(publicUrl)).pathname]);
  for (const path of paths) {
    app.get(path, async (_request, reply) => {
      // Hosts that run in a browser read it too; there is nothing secret about it.
      void reply.header('access-control-allow-origin', '*').header('cache-control', 'public, max-age=300');
      return metadata;
    });
  }
}
