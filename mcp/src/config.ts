import { admissionSettings, type AdmissionSettings } from '@payroll/admission';
import { edgeSettings, readSettings, type EdgeConfig } from '@payroll/runtime';

export interface McpConfig extends EdgeConfig {
  admission: AdmissionSettings;
  /** The facade's `…/v1`. */
  restUrl: string;
  /** The people's origin: the authorization server that hosts are sent to, and the application. */
  authUrl: string;
  /** Where hosts reach this server: the address that access tokens are made for. */
  publicUrl: string;
  /** The page that explains how to connect an assistant. */
  guideUrl: string;
  /** Keys of the review states that hosts return; the first signs and all are accepted, so that keys can be rotated. */
  confirmationKeys: readonly Buffer[];
  /** Web origins, beside our own, whose pages may call: host names without port. */
  allowedOrigins: readonly string[];
}

/** @throws ConfigError naming each variable that is missing or not valid. */
export function readConfig(env: NodeJS.ProcessEnv): McpConfig {
  return readSettings(env, (s) => ({
    ...edgeSettings(s, 4003),
    admission: admissionSettings(s),
    restUrl: s.url('REST_URL', ['http:', 'https:']),
    authUrl: s.url('APP_URL', ['http:', 'https:']),
    publicUrl: s.url('MCP_URL', ['http:', 'https:']),
    guideUrl: s.url('GUIDE_URL', ['http:', 'https:']),
    confirmationKeys: s.keyRing('CONFIRMATION_KEYS'),
    allowedOrigins: s.list('ALLOWED_ORIGINS'),
  }));
}
