import type { ServerResponse } from 'node:http';
import type { Answer } from './answer.js';
import type { TextResult } from './executor.js';

/**
 * One JSON line per answer as soon as it is known: none waits for a slower one. `[place in the message, answer]`, or
 * `[place, null, value]` with the value of the one field, for who asked for text (ADR 07).
 */
export class AnswerLines {
  private known = '';
  private flushing: NodeJS.Immediate | undefined;

  constructor(private readonly response: ServerResponse) {
    response.setHeader('content-type', 'application/jsonl; charset=utf-8');
  }

  add(place: number, answer: Answer | TextResult): void {
    this.known += 'text' in answer ? `[${place},null,${answer.text}]\n` : `${JSON.stringify([place, answer])}\n`;
    this.flushing ??= setImmediate(() => this.flush());
  }

  end(): void {
    clearImmediate(this.flushing);
    this.response.end(this.known);
  }

  private flush(): void {
    this.flushing = undefined;
    // The caller may have disconnected.
    if (!this.response.destroyed) this.response.write(this.known);
    this.known = '';
  }
}

/** All answers of a message, in the order of its requests. */
export function readAnswers<Answer>(lines: string): Answer[] {
  const answers: Answer[] = [];
  for (const line of lines.split('\n').filter(Boolean)) {
    const [place, answer] = JSON.parse(line) as [number, Answer];
    answers[place] = answer;
  }
  return answers;
}
