/** What went wrong, in one line for whoever typed the command. */
export function oneSentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Of several addresses that were tried, each with an error of its own.
  if (error instanceof AggregateError) return [...new Set(error.errors.map(oneSentence))].join('; ');
  // fetch says only that it failed; its cause says why.
  if (error.message === 'fetch failed' && error.cause !== undefined) return `no answer: ${oneSentence(error.cause)}`;
  return (error.message || error.name).replaceAll(/\s*\n\s*/g, ' ').trim();
}
