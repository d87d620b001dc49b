import { admissionSettings } from '@payroll/admission';
import { edgeSettings, readSettings } from '@payroll/runtime';

export type McpConfig = ReturnType<typeof readConfig>;

/** @throws ConfigError naming each variable that is missing or not valid. */
export function readConfig(env: NodeJS.ProcessEnv) {
  return readSettings(env, (s) => ({
    ...edgeSettings(s, 4003),
    admission: admissionSettings(s),
    /** The facade's `…/v1`. */
    restUrl: s.url('REST_URL', ['http:', 'https:']),
    /** The people's origin: the authorization server that hosts are sent to, and the application. */
    authUrl: s.url('APP_URL', ['http:', 'https:']),
    /** Where hosts reach this server: the address that access tokens are made for. */
    publicUrl: s.url('MCP_URL', ['http:', 'https:']),
    /** The page that explains how to connect an assistant. */
    guideUrl: s.url('GUIDE_URL', ['http:', 'https:']),
    /** Keys of the review states that hosts return; the first signs and all are accepted, so that keys can be rotated. */
    confirmationKeys: s.keyRing('CONFIRMATION_KEYS'),
    /** Web origins, beside our own, whose pages may call: host names without port. */
    allowedOrigins: s.hostNames('ALLOWED_ORIGINS'),
  }));
}
