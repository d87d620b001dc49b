import { Operation } from './operations.js';

/** What this installation offers to every workspace. */
export interface Installation {
  restUrl: string;
  mcpUrl: string | null;
  sendsMail: boolean;
  hasOutsideIssuer: boolean;
}

export const readInstallation = new Operation<{ installation: Installation }, Record<string, never>>(
  'query installation { installation { restUrl mcpUrl sendsMail hasOutsideIssuer } }',
);
