import { isId } from '@payroll/kernel';
import type { Credential } from './protocol.js';

/** `ca_<connection>.<claims>.<signature>`: only workspaces makes and reads the last two. */
const FORM = /^ca_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})\.([\w-]{1,400}\.[\w-]{43})$/;

/** An assertion as the MCP server shows it to the facade. */
export function writeAssertion(connectionId: string, proof: string): string {
  return `ca_${connectionId.replaceAll('-', '')}.${proof}`;
}

/** Reads `Authorization: Bearer ca_…`; null for anything that cannot be an assertion. */
export function parseAssertion(header: string | undefined): Credential | null {
  const [scheme, text = '', ...rest] = header?.split(' ') ?? [];
  const [, a, b, c, d, e, proof] = (scheme?.toLowerCase() === 'bearer' && rest.length === 0 && FORM.exec(text)) || [];
  const id = [a, b, c, d, e].join('-');
  return proof !== undefined && isId(id) ? { kind: 'assertion', id, proof } : null;
}
