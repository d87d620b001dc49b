import type { CallToolResult } from '@modelcontextprotocol/server';
import { DomainError, type ErrorDetail } from '@payroll/kernel';

/** Codes that only assistants see (public-api.md §7, MCP error codes); all others are those of the API. */
type McpCode =
  | 'CONFIRMATION_UNSUPPORTED'
  | 'CONFIRMATION_DECLINED'
  | 'CONFIRMATION_MISMATCH'
  | 'CONFIRMATION_EXPIRED'
  | 'TOOL_FAILED'
  | 'MCP_UNAVAILABLE';

/** What a failed call tells the model, flat: nothing else ever does. */
interface Failure {
  code: string;
  message: string;
  status?: number;
  requestId?: string;
  retryAfterSeconds?: number;
  details?: readonly ErrorDetail[];
}

/** A failure that the model may read. */
export class ToolError extends Error {
  override readonly name = 'ToolError';

  private constructor(readonly failure: Failure) {
    super(failure.message);
  }

  static of(code: McpCode | 'VALIDATION_FAILED' | 'INSUFFICIENT_SCOPE' | 'INVALID_STATE', message: string): ToolError {
    return new ToolError({ code, message });
  }

  static invalid(details: readonly ErrorDetail[], why: string): ToolError {
    return new ToolError({ code: 'VALIDATION_FAILED', message: `The arguments are not valid: ${why}.`, details });
  }

  static unavailable(message: string, facts: Pick<Failure, 'status' | 'retryAfterSeconds'> = {}): ToolError {
    return new ToolError({ code: 'MCP_UNAVAILABLE', message, ...facts });
  }

  /** What the API has answered, under the API's own code. */
  static fromApi(failure: Failure): ToolError {
    return new ToolError(failure);
  }

  static from(error: unknown): ToolError {
    if (error instanceof ToolError) return error;
    if (error instanceof DomainError && error.code === 'SERVICE_UNAVAILABLE') {
      return ToolError.unavailable(
        'The service cannot be reached at the moment. Check the current state before you try again.',
      );
    }
    if (error instanceof DomainError) {
      const { code, message, retryAfterSeconds } = error;
      return new ToolError({ code, message, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });
    }
    return ToolError.of(
      'TOOL_FAILED',
      'Something went wrong on our side. Check the current state before you try again.',
    );
  }

  /** Whether the caller could not have done better. */
  get isOurs(): boolean {
    return OURS.has(this.failure.code);
  }

  toResult(): CallToolResult {
    return { isError: true, content: [{ type: 'text', text: JSON.stringify(this.failure) }] };
  }
}

const OURS: ReadonlySet<string> = new Set(['TOOL_FAILED', 'MCP_UNAVAILABLE', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']);
