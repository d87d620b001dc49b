import { metrics, withSpan } from '@payroll/runtime';

/** Calls the provider, and counts the call by its outcome: `error` if it fails. */
export async function timedCall<Answer>(
  call: () => Promise<Answer>,
  outcomeOf: (answer: Answer) => string,
): Promise<Answer> {
  const startedAt = performance.now();
  let outcome = 'error';
  try {
    const answer = await withSpan('ask payout provider', { kind: 'client' }, call);
    outcome = outcomeOf(answer);
    return answer;
  } finally {
    metrics.payoutCalls.since(startedAt, { outcome });
  }
}
