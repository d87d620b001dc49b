import { newId } from '@payroll/kernel';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { Log } from '@payroll/runtime';
import type { Gateway } from '@payroll/gateway';
import { createApp, type AppDependencies } from '../../src/app.js';
import { facadeDatabase, type FacadeDatabase } from './facade-database.js';
import { FakeAdmission, FakeGateway } from './fakes.js';

export interface Facade extends AsyncDisposable {
  app: FastifyInstance;
  admission: FakeAdmission;
  gateway: FakeGateway;
  database: FacadeDatabase;
  /** Another process for the same services and database. */
  another: (more?: Partial<AppDependencies>) => Promise<FastifyInstance>;
  /** Every logged line. */
  logged: string[];
  get: (url: string, headers?: Record<string, string>) => Promise<LightMyRequestResponse>;
  /** Sends to this process, or to another. */
  post: (
    url: string,
    body: unknown,
    headers?: Record<string, string>,
    app?: FastifyInstance,
  ) => Promise<LightMyRequestResponse>;
}

/** The facade with a real database, and with admission and gateway faked at their interfaces. */
export async function startFacade(name: string, more: Partial<AppDependencies> = {}): Promise<Facade> {
  await using starting = new AsyncDisposableStack();
  const database = starting.use(await facadeDatabase(name));
  const admission = new FakeAdmission();
  const gateway = new FakeGateway();
  const logged: string[] = [];
  const note = (fields: object, message: string): void => void logged.push(JSON.stringify({ ...fields, message }));
  const parts: AppDependencies = {
    admission,
    gateway: gateway as unknown as Gateway,
    keys: database.keys,
    whyNoCredential: (text) => `No credential is in ${String(text)}.`,
    parseCredential: (text) => (text === 'Bearer good' ? { kind: 'api_key', id: newId(), proof: 'p' } : null),
    log: { info: note, warn: note, error: note } as unknown as Log,
    waitingFor: () => Promise.resolve([]),
    publicUrl: '/v1',
    mcpUrl: '',
    ...more,
  };
  const another = async (other: Partial<AppDependencies> = {}): Promise<FastifyInstance> =>
    started.adopt(await createApp({ ...parts, ...other }), (open) => open.close());
  const app = starting.adopt(await createApp(parts), (open) => open.close());
  const started = starting.move();
  return {
    app,
    another,
    admission,
    gateway,
    database,
    logged,
    get: (url, headers = {}) =>
      app.inject({ method: 'GET', url, headers: { authorization: 'Bearer good', ...headers } }),
    post: (url, body, headers = {}, to = app) =>
      to.inject({
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
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}
