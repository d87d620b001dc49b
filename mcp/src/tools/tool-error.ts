import type { CallToolResult } from '@modelcontextprotocol/server';
import { DomainError, isDomainError, type ErrorDetail } from '@payroll/kernel';

/** Codes that only assistants see (public-api.md §7, MCP error codes), and those of the API that are given here too. */
type OwnCode =
  | 'CONFIRMATION_UNSUPPORTED'
  | 'CONFIRMATION_DECLINED'
  | 'CONFIRMATION_MISMATCH'
  | 'CONFIRMATION_EXPIRED'
  | 'TOOL_FAILED'
  | 'MCP_UNAVAILABLE'
  | 'VALIDATION_FAILED'
  | 'INSUFFICIENT_SCOPE'
  | 'INVALID_STATE';

/** All that a failed call tells the model, flat. */
interface Failure {
  code: string;
  message: string;
  status?: number | undefined;
  requestId?: string | undefined;
  retryAfterSeconds?: number | undefined;
  details?: readonly ErrorDetail[] | undefined;
}

export class ToolError extends Error {
  override readonly name = 'ToolError';

  constructor(readonly failure: Failure) {
    super(failure.message);
  }

  /** A failure outside the API. */
  static of(code: OwnCode, message: string, facts: Omit<Failure, 'code' | 'message'> = {}): ToolError {
    return new ToolError({ code, message, ...facts });
  }

  static from(error: unknown): ToolError {
    if (error instanceof ToolError) return error;
    if (isDomainError(error, 'SERVICE_UNAVAILABLE')) {
      return ToolError.of(
        'MCP_UNAVAILABLE',
        'The service cannot be reached at the moment. Check the current state before you try again.',
      );
    }
    if (error instanceof DomainError) {
      const { code, message, retryAfterSeconds } = error;
      return new ToolError({ code, message, retryAfterSeconds });
    }
    return ToolError.of(
      'TOOL_FAILED',
      'Something went wrong on our side. Check the current state before you try again.',
    );
  }

  get isOurs(): boolean {
    return OURS.has(this.failure.code);
  }

  toResult(): CallToolResult {
    return { isError: true, content: [{ type: 'text', text: JSON.stringify(this.failure) }] };
  }
}

const OURS: ReadonlySet<string> = new Set(['TOOL_FAILED', 'MCP_UNAVAILABLE', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']);
