import type { DeadLetter, DeadLetterStep } from './letter.js';

/** In a list: where it is, which one, since when, what it is about and why. */
export function lineOf({ consumer, id, state, buriedAt, type, aboutId, reason }: DeadLetter): string {
  const since = `${buriedAt.slice(0, 19)}Z`;
  const words = [consumer.padEnd(10), id, state.replace('_', ' ').padEnd(9), since, type, `about ${aboutId ?? '?'}`];
  return `${words.join('  ')}: ${reason}\n`;
}

/** All that is known of it. The event is whole: ids, dates and amounts, and no personal text. */
export function storyOf(letter: DeadLetter): string {
  const { id, type, consumer, publisher, workspaceId, aboutId, occurredAt, requestId, traceId } = letter;
  const facts = {
    'dead letter': id,
    event: `${type}, from ${publisher ?? 'nobody known'} to ${consumer}`,
    workspace: workspaceId,
    about: aboutId,
    occurred: occurredAt,
    request: requestId,
    trace: traceId,
    state: letter.state.replace('_', ' '),
    body: letter.event,
  };
  const lines = Object.entries(facts).filter(([, fact]) => fact !== null);
  return `${lines.map(([name, fact]) => `${name.padEnd(12)} ${fact}\n`).join('')}${letter.story.map(stepLine).join('')}`;
}

function stepLine({ step, at, by, reason }: DeadLetterStep): string {
  return `${at}  ${[step.replace('_', ' '), by && `by ${by}`].filter(Boolean).join(' ')}${reason ? `: ${reason}` : ''}\n`;
}
