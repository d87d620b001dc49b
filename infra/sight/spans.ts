/** A step of a trace, as OTLP tells of it. */
export interface Span {
  traceId: string;
  spanId: string;
  parentId: string | null;
  /** Other traces that it points at. */
  links: readonly string[];
  process: string;
  name: string;
  startMs: number;
  endMs: number;
  failed: boolean;
  attributes: Readonly<Record<string, string>>;
}

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

/** The spans of a message in OTLP's JSON form. */
export function readSpans(body: string): Span[] {
  const { resourceSpans = [] } = JSON.parse(body) as OtlpTraces;
  return resourceSpans.flatMap(({ resource, scopeSpans = [] }) => {
    const process = readAttributes(resource?.attributes)['service.name'] ?? 'unknown';
    return scopeSpans.flatMap(({ spans = [] }) => spans.map((span) => toSpan(process, span)));
  });
}

function toSpan(process: string, span: OtlpSpan): Span {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentId: span.parentSpanId || null,
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

/** Microseconds are enough; nanoseconds since 1970 do not fit a number. */
function toMs(nanoseconds: string): number {
  return Number(BigInt(nanoseconds) / 1000n) / 1000;
}
