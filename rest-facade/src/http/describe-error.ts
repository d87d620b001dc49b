/**
 * What a log says of an error: what it is and where it came from, nothing more. Drivers and clients hang statements,
 * parameters and requests on their errors, and those hold what people wrote.
 */
export function describeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? { code: String(error.code) } : {};
  const under = cause === undefined || depth > 4 ? {} : { cause: describeError(cause, depth + 1) };
  return { name, message, ...code, stack, ...under };
}
