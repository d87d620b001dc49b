import { expect, it } from 'vitest';
import { createConnectionAdmission } from './client.js';
import { readConnectionQuestions } from './protocol.js';

const clientAddress = '192.0.2.1';
const admitted = { role: 'viewer' } as const;

/** An admission client for which workspaces gives this answer, and the questions it received. */
function answering(answer: object) {
  const asked: unknown[] = [];
  const request = (questions: readonly unknown[]): Promise<unknown> => {
    asked.push(...questions);
    return Promise.resolve(questions.map(() => answer));
  };
  return { asked, admission: createConnectionAdmission({ request }) };
}

it('returns the identity of an admitted caller', async () => {
  const { admission, asked } = answering({ admitted });
  expect(await admission.admit('a.token', { clientAddress })).toBe(admitted);
  expect(asked).toMatchObject([{ accessToken: 'a.token', clientAddress }]);
});

it('throws a refusal unchanged', async () => {
  const refused = { code: 'RATE_LIMITED', message: 'Too many.', retryAfterSeconds: 7 };
  const asked = answering({ refused }).admission.admit('a.token', { clientAddress });
  await expect(asked).rejects.toMatchObject(refused);
});

it.each(['', 'two words', 'x'.repeat(4_001), 'a=b', 'ä'])(
  '%j is refused as a token without a request',
  async (token) => {
    const { admission, asked } = answering({ admitted });
    await expect(admission.admit(token, { clientAddress })).rejects.toMatchObject({ code: 'INVALID_CREDENTIAL' });
    expect(asked).toEqual([]);
  },
);

const question = { accessToken: 'a.token', clientAddress };

it('questions about connections are read unchanged', () => {
  const traced = { ...question, traceparent: '00-1-2-03' };
  expect(readConnectionQuestions([question, traced])).toEqual([question, traced]);
  expect(readConnectionQuestions([])).toEqual([]);
});

it.each([undefined, {}, 'questions', [{}], [question, { ...question, accessToken: 7 }], [question, null]])(
  '%j is not a list of questions',
  (body) => expect(() => readConnectionQuestions(body)).toThrow(TypeError),
);
