import { expect, test } from 'vitest';
import { readSpans, tracesOf, traceText, type Span } from './trace-text.js';

const span = (spanId: string, parentId: string | null, startMs: number, more: Partial<Span> = {}): Span => ({
  traceId: 't1',
  spanId,
  parentId,
  links: [],
  process: 'review',
  name: `step ${spanId}`,
  startMs,
  endMs: startMs + 2,
  failed: false,
  attributes: {},
  ...more,
});

test('each span is below its parent, in the order of time; a span whose parent is missing is a root', () => {
  const spans = [
    span('c', 'a', 1009, { process: 'payments', failed: true }),
    span('a', null, 1000, { process: 'rest-facade' }),
    span('b', 'a', 1001),
    span('e', 'lost', 1500),
    span('d', 'b', 1003),
  ];
  expect(traceText(spans)).toBe(
    [
      '     +0     2.0 ms  rest-facade  step a',
      '     +1     2.0 ms  review         step b',
      '     +3     2.0 ms  review           step d',
      '     +9     2.0 ms  payments       step c  (failed)',
      '   +500     2.0 ms  review       step e',
    ].join('\n'),
  );
});

test('finds a whole trace by any id in it', () => {
  const spans = [
    span('a', null, 1, { attributes: { 'payroll.request_id': 'r1' } }),
    span('b', 'a', 2),
    span('x', null, 3, { traceId: 't2', attributes: { 'payroll.about_id': 'p1' } }),
  ];
  const found = (id: string): string[] => tracesOf(spans, id).flatMap((trace) => trace.map(({ spanId }) => spanId));
  expect([found('r1'), found('p1'), found('t2'), found('nobody')]).toEqual([['a', 'b'], ['x'], ['x'], []]);
});

test('parses OTLP messages', () => {
  const message = JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'review' } }] },
        scopeSpans: [
          {
            spans: [
              {
                traceId: 't',
                spanId: 's',
                name: 'approve timesheet',
                startTimeUnixNano: '1700000000000500000',
                endTimeUnixNano: '1700000000002000000',
                attributes: [{ key: 'http.response.status_code', value: { intValue: 200 } }],
                links: [{ traceId: 'caller' }],
                status: { code: 2 },
              },
            ],
          },
        ],
      },
    ],
  });
  expect(readSpans(message)).toEqual([
    {
      traceId: 't',
      spanId: 's',
      parentId: null,
      links: ['caller'],
      process: 'review',
      name: 'approve timesheet',
      startMs: 1_700_000_000_000.5,
      endMs: 1_700_000_000_002,
      failed: true,
      attributes: { 'http.response.status_code': '200' },
    },
  ]);
});
