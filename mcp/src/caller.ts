import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import type { AdmittedConnection } from '@payroll/admission';
import type { Scope } from '@payroll/kernel';
import { ToolError } from './tools/tool-error.js';

/** The member behind an assistant, as admission answered for this request. Only the assertion is sent to the facade. */
export type Caller = AdmittedConnection;

/** The caller in the form that the SDK passes on to its handlers. */
export function authInfoOf(token: string, caller: Caller, clientAddress: string): AuthInfo {
  return { token, clientId: caller.principalId, scopes: [...caller.scopes], extra: { caller, clientAddress } };
}

export function callerOf(context: Pick<ServerContext, 'http'>): Caller {
  const caller = context.http?.authInfo?.extra?.['caller'];
  if (!caller) throw new Error('A message has reached the server without passing admission.');
  return caller as Caller;
}

/** Required for resources, prompts and read tools. */
export function canRead(context: Pick<ServerContext, 'http'>): boolean {
  return callerOf(context).scopes.includes('read');
}

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
