import type {
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

/** The storage of a host, and the URL that it opens in a browser. */
export class Keeper implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:33418/callback';
  readonly clientMetadata = { client_name: 'Host', redirect_uris: [this.redirectUrl] };
  opened: URL | undefined;
  kept: StoredOAuthTokens | undefined;
  private client: StoredOAuthClientInformation | undefined;
  private verifier = '';

  clientInformation = (): StoredOAuthClientInformation | undefined => this.client;
  saveClientInformation = (client: StoredOAuthClientInformation): void => void (this.client = client);
  tokens = (): StoredOAuthTokens | undefined => this.kept;
  saveTokens = (tokens: StoredOAuthTokens): void => void (this.kept = tokens);
  redirectToAuthorization = (url: URL): void => void (this.opened = url);
  saveCodeVerifier = (verifier: string): void => void (this.verifier = verifier);
  codeVerifier = (): string => this.verifier;
}
