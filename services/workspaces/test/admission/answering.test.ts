import {
  ADMISSION_SUBJECT,
  createAdmissionClient,
  type AdmissionAnswer,
  type AdmissionClient,
  type AdmissionQuestion,
} from '@payroll/admission';
import { startTestNats } from '@payroll/infra/test-server';
import { connectNats, type Bus } from '@payroll/bus';
import { createLog } from '@payroll/process';
import type { ServiceParts } from '@payroll/service';
import { openDatabase } from '@payroll/store';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { workspacesService } from '../../src/service.js';
import { workspacesSchema } from '../../src/store/schema.js';
import { question, SETTINGS, Workspaces, type Key } from '../support.js';

// Several facades ask several processes of workspaces, each with connections of its own, over a real bus.

const stack = new AsyncDisposableStack();
let nats: Awaited<ReturnType<typeof startTestNats>>;
let workspaces: Workspaces;
let facades: AdmissionClient[];
let keys: Key[];
beforeAll(async () => {
  nats = stack.use(await startTestNats());
  workspaces = stack.use(await Workspaces.open('workspaces_answering'));
  facades = [createAdmissionClient(await connect('rest-facade')), createAdmissionClient(await connect('rest-facade'))];
  for (const _ of [1, 2]) await startAnswering(await connect('workspaces'));
  // The connections race: the server hears of questions before it has heard of those who answer.
  while ((await codeOf(facades[0]!.ask(question(null)))) !== 'INVALID_CREDENTIAL');
});
afterAll(() => stack.disposeAsync());
beforeEach(async () => {
  const places = [await workspaces.provision(), await workspaces.provision()];
  keys = await Promise.all([0, 1, 0, 1].map((n) => workspaces.key(places[n]!)));
});

async function connect(user: 'rest-facade' | 'workspaces'): Promise<Bus> {
  const bus = stack.use(connectNats({ url: nats.urls[user], name: user, log: createLog(user, 'fatal') }));
  await bus.subscribed();
  return bus;
}

async function startAnswering(bus: Bus): Promise<void> {
  const orm = stack.adopt(await openDatabase(workspacesSchema, workspaces.databaseUrl), (open) => open.close());
  const { actorKeys } = workspaces;
  const { answers } = workspacesService({ deployment: 'test', actorKeys, web: SETTINGS, mail: null, oauth: null });
  answers?.({ em: orm.em.fork(), bus, log: createLog('workspaces', 'fatal') } as ServiceParts);
}

async function codeOf(asked: Promise<AdmissionAnswer>): Promise<string> {
  try {
    const answer = await asked;
    return answer.admitted ? 'admitted' : answer.code;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

/** Each facade gets every other question, a few in each turn of its event loop. */
async function askAll(questions: readonly AdmissionQuestion[]): Promise<AdmissionAnswer[]> {
  const asked: Promise<AdmissionAnswer>[] = [];
  for (const [n, each] of questions.entries()) {
    asked.push(facades[n % 2]!.ask(each));
    if (n % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return await Promise.all(asked);
}

describe('several processes', () => {
  it('share the limits of each principal, and never stand in each other’s way', async () => {
    const write = { limit: 'writes', scope: 'contracts:write' } as const;
    const questions = Array.from({ length: 2_800 }, (_, n) =>
      question(keys[n % 4]!.credential, { ...(n % 7 === 0 ? write : {}), requestId: String(n) }),
    );
    const answers = await askAll(questions);
    for (const k of keys.keys()) {
      const own = answers.filter((answer, n) => n % 4 === k && answer.admitted);
      // Of its 700 questions 100 are writes; every answer tells another place.
      expect(remaining(own, 'reads')).toEqual(downFrom(600));
      expect(remaining(own, 'writes')).toEqual(downFrom(60));
    }
    for (const [n, answer] of answers.entries()) {
      if (answer.admitted) expect(answer.origin.requestId).toBe(String(n));
      else
        expect(answer).toMatchObject({ code: 'RATE_LIMITED', rateLimits: [{ remaining: 0 }, { name: 'workspace' }] });
    }
  });

  it('share the ceiling of a workspace', async () => {
    const place = await workspaces.provision();
    const four = await Promise.all([1, 2, 3, 4].map(() => workspaces.key(place)));
    const answers = await askAll(Array.from({ length: 2_400 }, (_, n) => question(four[n % 4]!.credential)));
    expect(
      remaining(
        answers.filter(({ admitted }) => admitted),
        'workspace',
      ),
    ).toEqual(downFrom(2_000));
  });
});

const downFrom = (quota: number): number[] => Array.from({ length: quota }, (_, n) => n);

function remaining(answers: readonly AdmissionAnswer[], name: string): number[] {
  const told = answers.flatMap(({ rateLimits }) => rateLimits.filter((limit) => limit.name === name));
  return told.map((limit) => limit.remaining).toSorted((a, b) => a - b);
}

it('a malformed question harms nobody but itself', async () => {
  const good = question(keys[0]!.credential);
  const poison = [
    null,
    'x',
    { ...good, credential: { ...good.credential, id: 'x' } },
    { ...good, clientAddress: '\0' },
  ];
  const bus = await connect('rest-facade');
  const answers = (await bus.request(ADMISSION_SUBJECT, [good, ...poison, good], 3_000)) as AdmissionAnswer[];
  const codes = answers.map((answer) => (answer.admitted ? 'admitted' : answer.code));
  expect(codes).toEqual(['admitted', ...poison.map(() => 'INTERNAL_ERROR'), 'admitted']);
});

it('a reply that is lost costs the questions of its own message, and only those', async () => {
  const silent = await connect('workspaces');
  let heard = Promise.withResolvers<string>();
  silent.answer(ADMISSION_SUBJECT, 'workspaces', () => {
    heard.resolve('lost');
    return new Promise(() => {});
  });
  const outcomes: Promise<string>[] = [];
  const first: string[] = [];
  while (first.filter((outcome) => outcome === 'lost').length < 3 || first.length < 10) {
    heard = Promise.withResolvers();
    const outcome = codeOf(facades[0]!.ask(question(keys[0]!.credential)));
    outcomes.push(outcome);
    first.push(await Promise.race([heard.promise, outcome]));
  }
  void silent[Symbol.asyncDispose]();
  expect(await Promise.all(outcomes)).toEqual(
    first.map((outcome) => (outcome === 'lost' ? 'SERVICE_UNAVAILABLE' : 'admitted')),
  );
  expect(first).toContain('admitted');
});
