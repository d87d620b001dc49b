import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, EventFormatError, eventRoutes, newEvent, parseEvent } from './index.js';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const body = {
  timesheetId: ID,
  contractId: ID,
  paymentId: ID,
  revision: 1,
  total: { amount: '1250.50', currency: 'EUR' },
  periodStart: '2026-01-01',
  periodEnd: '2026-01-31',
  paymentScheduledDate: '2026-02-10',
  autoPayEnabled: true,
};
const event = {
  id: ID,
  type: 'timesheet.approved',
  workspaceId: ID,
  aboutId: ID,
  occurredAt: '2026-01-31T09:00:00.000001Z',
  requestId: 'req_1',
  body,
};

describe('parseEvent', () => {
  it('returns a valid event', () => {
    expect(parseEvent(JSON.parse(JSON.stringify(event)))).toEqual(event);
  });

  it('accepts fields added by a newer publisher', () => {
    expect(() => parseEvent({ ...event, body: { ...body, added: 1 } })).not.toThrow();
  });

  it.each([
    ['body.total.amount', { ...event, body: { ...body, total: { amount: '1e3', currency: 'EUR' } } }],
    ['body.periodEnd', { ...event, body: { ...body, periodEnd: '2026-02-30' } }],
    ['occurredAt', { ...event, occurredAt: 'yesterday' }],
    ['type', { ...event, type: 'timesheet.forgotten' }],
    ['type', null],
  ])('names %s if it is invalid, and never its value', (path, value) => {
    expect(() => parseEvent(value)).toThrow(expect.objectContaining({ name: 'EventFormatError', path }) as Error);
    expect(() => parseEvent(value)).not.toThrow(/1e3|02-30|yesterday|forgotten/);
  });
});

describe('newEvent', () => {
  it('adds the consumers', () => {
    expect(newEvent('timesheet.approved', ID, body)).toEqual({
      type: 'timesheet.approved',
      aboutId: ID,
      body,
      consumers: ['payments'],
    });
  });

  it('refuses a body that its consumers could not read', () => {
    expect(() => newEvent('timesheet.approved', ID, { ...body, paymentId: 'p1' })).toThrow(EventFormatError);
  });
});

it('no service consumes its own events', () => {
  for (const type of EVENT_TYPES) {
    const { publisher, consumers } = eventRoutes[type];
    expect(consumers).not.toContain(publisher);
  }
});
