import type { ServerResponse } from 'node:http';
import type { SubgraphResult } from './answer.js';

/** Writes one line per request, `place response`, as soon as it is known: none waits for a slower one. */
export async function answerMessage(
  response: ServerResponse,
  requests: readonly unknown[],
  answerTo: (request: unknown) => Promise<SubgraphResult>,
): Promise<void> {
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  let known = '';
  const flush = (): void => {
    // The caller may have disconnected.
    if (known !== '' && !response.destroyed) response.write(known);
    known = '';
  };
  const add = async (request: unknown, place: number): Promise<void> => {
    const answer = await answerTo(request);
    if (known === '') setImmediate(flush);
    known += `${place} ${JSON.stringify(answer)}\n`;
  };
  await Promise.all(requests.map(add));
  response.end(known);
  known = '';
}

/** All answers of a message, in the order of its requests. */
export function parseJsonLines<Response>(lines: string): Response[] {
  const answers: Response[] = [];
  for (const line of lines.split('\n').filter(Boolean)) {
    const end = line.indexOf(' ');
    answers[Number(line.slice(0, end))] = JSON.parse(line.slice(end)) as Response;
  }
  return answers;
}
