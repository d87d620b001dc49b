import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import type { AdmittedConnection, ConnectionAdmission } from '@payroll/admission';
import type { Scope } from '@payroll/kernel';
import { ToolError } from './tools/tool-error.js';

/** Who is behind an assistant, as admission has said for this very request; the facade is shown its assertion alone. */
export type Caller = AdmittedConnection;

/** How the caller travels through the SDK, which passes on what the HTTP edge has found out. */
export function authInfoOf(token: string, caller: Caller, clientAddress: string): AuthInfo {
  return { token, clientId: caller.principalId, scopes: [...caller.scopes], extra: { caller, clientAddress } };
}

/** Who the holder of a token is by now. */
export async function readmitted(admission: ConnectionAdmission, { token, extra }: AuthInfo): Promise<Caller> {
  return await admission.admit(token, { clientAddress: String(extra?.['clientAddress']) });
}

export function callerOf(context: Pick<ServerContext, 'http'>): Caller {
  const caller = context.http?.authInfo?.extra?.['caller'];
  if (!caller) throw new Error('A message has reached the server without passing admission.');
  return caller as Caller;
}

/** Resources and prompts are for those who may read, as the read tools are. */
export function mayRead(context: Pick<ServerContext, 'http'>): boolean {
  return callerOf(context).scopes.includes('read');
}

/** A tool as far as its permission goes. */
export interface Scoped {
  name: string;
  scopes: readonly Scope[];
}

export function allows(scopes: readonly Scope[], tool: Scoped): boolean {
  return tool.scopes.every((scope) => scopes.includes(scope));
}

/** @throws ToolError `INSUFFICIENT_SCOPE` */
export function requireScopes(scopes: readonly Scope[], tool: Scoped): void {
  if (allows(scopes, tool)) return;
  throw ToolError.of(
    'INSUFFICIENT_SCOPE',
    `${tool.name} needs ${tool.scopes.join(' and ')}, which this connection or the role in the workspace does not grant.`,
  );
}
