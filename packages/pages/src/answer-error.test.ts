import { DomainError, unavailable } from '@payroll/kernel';
import type { Log } from '@payroll/runtime';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { expect, it } from 'vitest';
import { answerError } from './answer-error.js';
import type { PageContext } from './page-context.js';

async function leadOf(method: string, error: DomainError): Promise<unknown> {
  const reply = { header: () => undefined };
  const at = { request: { id: 'r', method }, reply } as unknown as PageContext;
  const page = await answerError(at, error, { log: {} as Log, keepTyped: () => Promise.resolve() });
  expect(page).toMatchObject({ status: 503, title: 'Try again in a moment' });
  return 'lead' in page ? page.lead : undefined;
}

it('a form that got no answer may have been carried out, and its sender reads that', async () => {
  const down = unavailable('The review service');
  expect(await leadOf('GET', down)).toBe('A part of this service does not answer at the moment.');
  expect(await leadOf('POST', down)).toContain('may have been done all the same');
});

it('a failure that says what to do is shown as it is', async () => {
  const notSent = new DomainError('SERVICE_UNAVAILABLE', 'The mail could not be sent.');
  expect(await leadOf('POST', notSent)).toBe('The mail could not be sent.');
});

it('a form with an operation id can be sent again as it was, unless it has a secret', async () => {
  const pageOf = async (body: object): Promise<string> => {
    const request = { id: 'r', method: 'POST', url: '/keys', body };
    const at = { request, reply: { header: () => undefined } } as unknown as PageContext;
    const page = await answerError(at, unavailable('The review service'), {
      log: {} as Log,
      keepTyped: () => Promise.resolve(),
    });
    return 'body' in page ? renderToString(page.body as VNode) : '';
  };
  const html = await pageOf({ form_token: 't', operation_id: 'o', piece: ['1', '2'] });
  expect(html).toContain('action="/keys"');
  const hidden = [...html.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => `${name}=${value}`);
  expect(hidden).toEqual(['operation_id=o', 'piece=1', 'piece=2']);
  expect(await pageOf({ operation_id: 'o', current: 'plum gravel' })).not.toMatch(/<form|plum/);
  expect(await pageOf({ piece: '1' })).not.toContain('<form');
});
