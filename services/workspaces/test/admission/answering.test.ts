import {
  AdmissionPeer,
  createAdmissionClient,
  EDGES,
  type AdmissionRequest,
  type AdmissionResponse,
  type Edge,
} from '@payroll/admission';
import { recordOf } from '@payroll/kernel';
import { createLog } from '@payroll/runtime';
import { openDatabase } from '@payroll/store';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createAdmission } from '../../src/admission/serve-admission.js';
import { workspacesSchema } from '../../src/store/schema.js';
import { question, Workspaces, type Key } from '../support.js';

// Two facades ask two processes of workspaces, each with its own connections, over HTTP.

const stack = new AsyncDisposableStack();
const secrets = { ...recordOf(EDGES, (edge) => [`of ${edge}`]), console: ['of console', 'the next of console'] };
let keys: Key[];
const workspaces = stack.use(await Workspaces.open('workspaces_answering'));
const urls = [await startAnswering(), await startAnswering()];
const facades = urls.map((url) => createAdmissionClient(peerOf('rest-facade', url)));
afterAll(() => stack.disposeAsync());
beforeEach(async () => {
  const places = [await workspaces.provision(), await workspaces.provision()];
  keys = await Promise.all([0, 1, 0, 1].map((n) => workspaces.key(places[n]!)));
});

function peerOf(edge: Edge, url = urls[0]!, secret = `of ${edge}`): AdmissionPeer {
  return stack.use(new AdmissionPeer({ url, secret }));
}

async function startAnswering(): Promise<string> {
  const orm = stack.adopt(await openDatabase(workspacesSchema, workspaces.databaseUrl), (open) => open.close());
  const { actorKeys } = workspaces;
  const parts = {
    log: createLog('workspaces', 'fatal'),
    admission: { em: orm.em.fork(), actorKeys, assertionKey: null, now: () => new Date() },
    connections: null,
    waitingFor: () => Promise.resolve([]),
  };
  const server = stack.adopt(createAdmission(parts, secrets), (open) => open.close());
  return await server.listen({ host: '127.0.0.1', port: 0 });
}

/** Over both facades, 400 at a time: a busy machine does not answer thousands within the three seconds of a question. */
async function askAll(questions: readonly AdmissionRequest[]): Promise<AdmissionResponse[]> {
  const answers: AdmissionResponse[] = [];
  for (let from = 0; from < questions.length; from += 400) {
    const some = questions.slice(from, from + 400);
    answers.push(...(await Promise.all(some.map((each, n) => facades[n % 2]!.ask(each)))));
  }
  return answers;
}

describe('several processes', () => {
  it("share each principal's limits and do not block each other", async () => {
    const write = { limit: 'writes', scope: 'contracts:write' } as const;
    const questions = Array.from({ length: 2_800 }, (_, n) =>
      question(keys[n % 4]!.credential, { ...(n % 7 === 0 ? write : {}), requestId: String(n) }),
    );
    const answers = await askAll(questions);
    for (const k of keys.keys()) {
      const own = answers.filter((answer, n) => n % 4 === k && answer.admitted);
      // 100 of its 700 questions are writes; every answer has another position.
      expect(remaining(own, 'reads')).toEqual(downFrom(600));
      expect(remaining(own, 'writes')).toEqual(downFrom(60));
    }
    for (const [n, answer] of answers.entries()) {
      if (answer.admitted) expect(answer.origin.requestId).toBe(String(n));
      else
        expect(answer).toMatchObject({ code: 'RATE_LIMITED', rateLimits: [{ remaining: 0 }, { name: 'workspace' }] });
    }
  });

  it('share the limit of a workspace', async () => {
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

function remaining(answers: readonly AdmissionResponse[], name: string): number[] {
  const told = answers.flatMap(({ rateLimits }) => rateLimits.filter((limit) => limit.name === name));
  return told.map((limit) => limit.remaining).toSorted((a, b) => a - b);
}

it('a malformed question does not affect the others', async () => {
  const good = question(keys[0]!.credential);
  const poison = [
    null,
    'x',
    { ...good, credential: { ...good.credential, id: 'x' } },
    { ...good, clientAddress: '\0' },
  ];
  const answers = (await peerOf('rest-facade').request([good, ...poison, good], 3_000)) as AdmissionResponse[];
  const codes = answers.map((answer) => (answer.admitted ? 'admitted' : answer.code));
  expect(codes).toEqual(['admitted', ...poison.map(() => 'INTERNAL_ERROR'), 'admitted']);
});

describe('the secret of an edge', () => {
  const codesFor = async (edge: Edge, secret?: string): Promise<unknown[]> => {
    const answers = await peerOf(edge, urls[0], secret).request([question(keys[0]!.credential)], 3_000);
    return (answers as AdmissionResponse[]).map((answer) => (answer.admitted ? 'admitted' : answer.code));
  };

  it('decides which questions the edge may ask', async () => {
    expect(await codesFor('rest-facade')).toEqual(['admitted']);
    expect(await codesFor('console')).toEqual(['INTERNAL_ERROR']);
    expect(await codesFor('gateway')).toEqual(['INTERNAL_ERROR']);
    await expect(codesFor('mcp')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it.each(['', 'wrong', 'of nobody'])('%j is refused', async (secret) => {
    await expect(codesFor('rest-facade', secret)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('may be either of two during a rotation', async () => {
    expect(await codesFor('console', 'the next of console')).toEqual(['INTERNAL_ERROR']);
    await expect(codesFor('console', 'the last of console')).rejects.toThrow('Admission is unavailable');
  });
});
