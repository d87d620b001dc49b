import type { Span } from './spans.js';

const PROCESS_WIDTH = 12;

/**
 * A trace as text for people: every step below the one that led to it, in the order of time, with its process, when it
 * began and how long it took. Children may end after their parent: an event is heard when it is heard.
 */
export function traceText(spans: readonly Span[]): string {
  const known = new Set(spans.map(({ spanId }) => spanId));
  const inOrder = spans.toSorted((a, b) => a.startMs - b.startMs);
  const begin = inOrder[0]?.startMs ?? 0;
  const childrenOf = Map.groupBy(inOrder, ({ parentId }) =>
    parentId !== null && known.has(parentId) ? parentId : null,
  );
  const lines = (parent: string | null, depth: number): string[] =>
    (childrenOf.get(parent) ?? []).flatMap((span) => [lineOf(span, depth, begin), ...lines(span.spanId, depth + 1)]);
  return lines(null, 0).join('\n');
}

function lineOf({ process, name, startMs, endMs, failed }: Span, depth: number, begin: number): string {
  const at = `+${(startMs - begin).toFixed(0)}`.padStart(7);
  const took = `${(endMs - startMs).toFixed(1)} ms`.padStart(10);
  return `${at} ${took}  ${process.padEnd(PROCESS_WIDTH)} ${'  '.repeat(depth)}${name}${failed ? '  (failed)' : ''}`;
}

/** The traces in which something bears this id: a request's, a payment's, or the trace's own. Whole, the oldest first. */
export function tracesOf(spans: readonly Span[], id: string): Span[][] {
  const byTrace = Map.groupBy(spans, ({ traceId }) => traceId);
  return [...byTrace.values()]
    .filter((trace) => trace.some((span) => span.traceId === id || Object.values(span.attributes).includes(id)))
    .toSorted((a, b) => a[0]!.startMs - b[0]!.startMs);
}
