import { newId } from '@payroll/kernel';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Log } from '@payroll/process';
import type { Gateway } from '@payroll/gateway';
import { createApp, type AppDependencies } from '../../src/app.js';
import { facadeDatabase, type FacadeDatabase } from './facade-database.js';
import { FakeAdmission, FakeGateway } from './fakes.js';

export interface Facade extends AsyncDisposable {
  app: FastifyInstance;
  admission: FakeAdmission;
  gateway: FakeGateway;
  database: FacadeDatabase;
  /** Every line it logged. */
  logged: string[];
  get: (url: string, headers?: Record<string, string>) => Promise<LightMyRequestResponse>;
  post: (url: string, body: unknown, headers?: Record<string, string>) => Promise<LightMyRequestResponse>;
}

/** The facade over a real database, with admission and gateway faked at the interfaces it is given them by. */
export async function startFacade(name: string, more: Partial<AppDependencies> = {}): Promise<Facade> {
  const database = await facadeDatabase(name);
  const admission = new FakeAdmission();
  const gateway = new FakeGateway();
  const logged: string[] = [];
  const note = (fields: object, message: string): void => void logged.push(JSON.stringify({ ...fields, message }));
  const app = await createApp({
    admission,
    gateway: gateway as unknown as Gateway,
    claims: database.claims,
    whyNoCredential: (text) => `No credential is in ${String(text)}.`,
    parseCredential: (text) => (text === 'Bearer good' ? { kind: 'api_key', id: newId(), proof: 'p' } : null),
    log: { info: note, warn: note, error: note } as unknown as Log,
    waitingFor: () => Promise.resolve([]),
    ...more,
  });
  const send = (options: InjectOptions) => app.inject(options);
  return {
    app,
    admission,
    gateway,
    database,
    logged,
    get: (url, headers = {}) => send({ method: 'GET', url, headers: { authorization: 'Bearer good', ...headers } }),
    post: (url, body, headers = {}) =>
      send({
        method: 'POST',
        url,
        headers: {
          authorization: 'Bearer good',
          'content-type': 'application/json',
          'idempotency-key': newId(),
          ...headers,
        },
        payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
    async [Symbol.asyncDispose]() {
      await app.close();
      await database[Symbol.asyncDispose]();
    },
  };
}
