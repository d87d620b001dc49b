const SQLSTATE = /^[0-9A-Z]{5}$/;

/**
 * What may be logged of an error. The driver writes statements with their values into the messages of database errors,
 * so of those only the SQLSTATE is kept.
 */
export function errorForLog(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const frames = error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 5);
  return {
    name: error.name,
    ...(code === undefined ? {} : { code }),
    ...(code !== undefined && SQLSTATE.test(code) ? {} : { message: error.message }),
    at: frames?.map((line) => line.trim()),
    ...(error.cause === undefined ? {} : { cause: errorForLog(error.cause) }),
  };
}
