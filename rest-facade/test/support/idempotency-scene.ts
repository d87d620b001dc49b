import { DomainError, newId, type ErrorCode } from '@payroll/kernel';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { startFacade, type Facade } from './facade.js';
import { admitted, FakeOperations } from './fakes.js';
import { ID, summary, timesheet } from './samples.js';

export const approved = { ...timesheet, status: 'approved', paymentId: ID, version: 'v2' };

/** Two facades with one database, in front of services that decide each operation once. */
export class IdempotencyScene implements AsyncDisposable {
  principal = newId();
  operations = new FakeOperations();
  /** The services' decision about an approval. */
  decide: () => unknown = () => approved;
  /** The fault of a call to the services, by the number of the call, from 1. */
  onTheWay: (call: number) => unknown = () => undefined;

  private constructor(
    readonly facade: Facade,
    readonly other: FastifyInstance,
  ) {}

  static async open(name: string): Promise<IdempotencyScene> {
    // Ten requests of one process take more than a second where other tests start beside them.
    const facade = await startFacade(name, { deadlineMs: 3_000 });
    return new IdempotencyScene(facade, await facade.another());
  }

  /** Resets everything. */
  begin(): void {
    const { gateway, admission } = this.facade;
    this.principal = newId();
    this.operations = new FakeOperations();
    this.decide = () => approved;
    this.onTheWay = () => undefined;
    gateway.calls.length = 0;
    admission.answer = () => admitted(this.principal);
    gateway.answers['createContractDraft'] = (call) => this.operations.answer(call, () => summary);
    gateway.answers['approveTimesheet'] = async (call) => {
      await this.onTheWay(gateway.calls.length);
      return this.operations.answer(call, () => this.decide());
    };
  }

  async approve(key: string, expectedVersion = 'v1', app = this.facade.app): Promise<LightMyRequestResponse> {
    const headers = { 'idempotency-key': key };
    return await this.facade.post(`/v1/timesheets/${ID}/approve`, { expectedVersion }, headers, app);
  }

  /** Pauses the first call on its way until it is released. */
  holdFirstCall(): { reached: Promise<void>; release: () => void } {
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    this.onTheWay = async (call) => {
      if (call !== 1) return;
      reached.resolve();
      await released.promise;
    };
    return { reached: reached.promise, release: () => released.resolve() };
  }

  /** The operation ids with which the services were called. */
  get operationIds(): readonly unknown[] {
    return this.facade.gateway.calls.map(({ variables }) => variables['operationId']);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.facade[Symbol.asyncDispose]();
  }
}

export const codeOf = (answer: LightMyRequestResponse): string => answer.json<{ error: { code: string } }>().error.code;

export function refuse(code: ErrorCode): never {
  throw new DomainError(code, 'As the service said.');
}
