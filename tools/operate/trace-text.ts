export type Span = ReturnType<typeof toSpan>;

interface KeyValue {
  key: string;
  value?: { stringValue?: string; intValue?: string | number };
}

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: KeyValue[];
  links?: { traceId: string }[];
  status?: { code?: number };
}

interface OtlpTraces {
  resourceSpans?: { resource?: { attributes?: KeyValue[] }; scopeSpans?: { spans?: OtlpSpan[] }[] }[];
}

const STATUS_ERROR = 2;

export function readSpans(body: string): Span[] {
  const { resourceSpans = [] } = JSON.parse(body) as OtlpTraces;
  return resourceSpans.flatMap(({ resource, scopeSpans = [] }) => {
    const process = readAttributes(resource?.attributes)['service.name'] ?? 'unknown';
    return scopeSpans.flatMap(({ spans = [] }) => spans.map((span) => toSpan(process, span)));
  });
}

function toSpan(process: string, span: OtlpSpan) {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentId: span.parentSpanId || null,
    /** Other traces that it links to. */
    links: (span.links ?? []).map(({ traceId }) => traceId),
    process,
    name: span.name,
    startMs: toMs(span.startTimeUnixNano),
    endMs: toMs(span.endTimeUnixNano),
    failed: span.status?.code === STATUS_ERROR,
    attributes: readAttributes(span.attributes),
  };
}

function readAttributes(list: readonly KeyValue[] = []): Record<string, string> {
  return Object.fromEntries(list.map(({ key, value }) => [key, String(value?.stringValue ?? value?.intValue ?? '')]));
}

/** Microseconds are enough; nanoseconds since 1970 exceed a number's precision. */
function toMs(nanoseconds: string): number {
  return Number(BigInt(nanoseconds) / 1000n) / 1000;
}

const PROCESS_WIDTH = 12;

/** Each span below its parent, in the order of time. Children may end after their parent: events arrive later. */
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

/** The traces that contain this id: a request's, a payment's, or the trace's own. Complete, the oldest first. */
export function tracesOf(spans: readonly Span[], id: string): Span[][] {
  const byTrace = Map.groupBy(spans, ({ traceId }) => traceId);
  return [...byTrace.values()]
    .filter((trace) => trace.some((span) => span.traceId === id || Object.values(span.attributes).includes(id)))
    .toSorted((a, b) => a[0]!.startMs - b[0]!.startMs);
}
