import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import type { Scope } from '@payroll/kernel';
import type { OperationName } from '@payroll/public-api';
import type { TObject } from 'typebox';
import type { Caller } from '../caller.js';
import type { Confirmation } from '../confirmation/confirmation.js';
import type { FacadeClient } from '../facade-client.js';

/** One call of a tool, with valid arguments and an admitted caller. */
export interface ToolCall {
  arguments: Readonly<Record<string, unknown>>;
  caller: Caller;
  facade: FacadeClient;
  signal: AbortSignal;
  /** Asks a person, before anything is written. */
  confirmation: Confirmation;
  /** The address of the application, in which people can do it themselves. */
  peopleUrl: string;
}

/** One row of the tables of public-api.md §4: what a model sees of a tool, and what the tool does. */
export interface Tool {
  name: string;
  title: string;
  /** For a model: when to use it, and what it does not do. */
  description: string;
  /** All of them are needed. A caller's list has only what it may use. */
  scopes: readonly Scope[];
  destructive: boolean;
  input: TObject;
  rules?: (value: unknown) => { path: string; code: string }[];
  /** The operation whose answer is the result. */
  operation: OperationName;
  use: (call: ToolCall) => Promise<CallToolResult | InputRequiredResult>;
}

/** A success: the text is exactly the body of `/v1`. */
export function resultOf(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) as Record<string, unknown> };
}
