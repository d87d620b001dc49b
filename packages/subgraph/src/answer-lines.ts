import type { ServerResponse } from 'node:http';

/**
 * Answers to a message, one JSON line each, `[place in the message, answer]`, in the order in which they become known:
 * who asked for little does not wait for who asked for much. What is known in one turn leaves in one piece.
 */
export class AnswerLines {
  private known = '';
  private flushing: NodeJS.Immediate | undefined;

  constructor(private readonly response: ServerResponse) {
    response.setHeader('content-type', 'application/jsonl; charset=utf-8');
  }

  add(place: number, answer: unknown): void {
    this.known += `${JSON.stringify([place, answer])}\n`;
    this.flushing ??= setImmediate(() => this.flush());
  }

  end(): void {
    clearImmediate(this.flushing);
    this.response.end(this.known);
  }

  private flush(): void {
    this.flushing = undefined;
    // Whoever asked may have gone.
    if (!this.response.destroyed) this.response.write(this.known);
    this.known = '';
  }
}

/** All answers of a message in the order of its requests, for who waits for them all. */
export function readAnswers<Answer>(lines: string): Answer[] {
  const answers: Answer[] = [];
  for (const line of lines.split('\n').filter(Boolean)) {
    const [place, answer] = JSON.parse(line) as [number, Answer];
    answers[place] = answer;
  }
  return answers;
}
