import type { ErrorBody } from '@payroll/public-api';
import { ToolError } from '../tools/tool-error.js';

export interface HttpAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

export function retryAfterSecondsOf({ headers }: HttpAnswer): number | undefined {
  const text = headers['retry-after'];
  return typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

/** What the model is told of an answer that is not a success; null: none has come. */
export function failureOf(answer: HttpAnswer | null): ToolError {
  if (!answer) {
    return ToolError.unavailable(
      'The API did not answer in time. A write may have taken place: check the current state before you try again.',
    );
  }
  const error = errorOf(answer.text);
  const { status } = answer;
  const retryAfterSeconds = retryAfterSecondsOf(answer);
  const later = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  // Not our error body: it comes from something between us and the API.
  if (!error) return ToolError.unavailable('The API cannot be reached at the moment.', { status, ...later });
  const { code, message, requestId, details } = error;
  return ToolError.fromApi({ code, message, status, requestId, ...later, ...(details && { details }) });
}

function errorOf(text: string): ErrorBody['error'] | undefined {
  try {
    const { error } = JSON.parse(text) as Partial<ErrorBody>;
    return typeof error?.code === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}
