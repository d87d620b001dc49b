import type { Scope } from '@payroll/kernel';
import { ToolError } from './tool-error.js';

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
