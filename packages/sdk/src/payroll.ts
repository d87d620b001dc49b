import { writeBody } from './body.js';
import { Sender, type Call, type PayrollOptions, type Waiting } from './sender.js';
import type {
  Balances,
  Business,
  ContractDetail,
  ContractDraft,
  ContractQuery,
  ContractSummary,
  Milestone,
  MilestoneQuery,
  Page,
  Payment,
  PaymentQuery,
  Reviewed,
  Timesheet,
  TimesheetQuery,
} from './shapes.js';

export interface Writing extends Waiting {
  /**
   * The idempotency key: one for each thing you intend to do. Make it with `newOperation()` and store it before you send;
   * after a crash the same input with the same operation is done once, and answered as it was the first time.
   */
  operation: string;
}

/** A new idempotency key, to be stored before it is used. */
export const newOperation = (): string => crypto.randomUUID();

/**
 * The API of one workspace, an operation a method. What can be tried again is (no answer, 429, 502, 503, 504, an operation
 * still in progress), with the same key and the same bytes, within the deadline; everything else is thrown.
 * @throws ApiError by its code, NoAnswerError, and the reason of an aborted signal; TypeError for what was never sent.
 */
export class Payroll {
  private readonly sender: Sender;

  constructor(options: PayrollOptions) {
    this.sender = new Sender(options);
  }

  /** A draft, to be completed and signed in the service's own application. */
  async createContract(draft: ContractDraft, writing: Writing): Promise<ContractSummary> {
    return await this.write('createContract', '/contracts', draft, writing);
  }

  async listContracts(query: ContractQuery = {}, waiting?: Waiting): Promise<Page<ContractSummary>> {
    return await this.read('listContracts', '/contracts', query, waiting);
  }

  async getContract(id: string, waiting?: Waiting): Promise<ContractDetail> {
    return await this.read('getContract', `/contracts/${segment(id)}`, {}, waiting);
  }

  async listMilestones(contractId: string, query: MilestoneQuery = {}, waiting?: Waiting): Promise<Page<Milestone>> {
    return await this.read('listMilestones', `/contracts/${segment(contractId)}/milestones`, query, waiting);
  }

  async listTimesheets(query: TimesheetQuery = {}, waiting?: Waiting): Promise<Page<Timesheet>> {
    return await this.read('listTimesheets', '/timesheets', query, waiting);
  }

  async getTimesheet(id: string, waiting?: Waiting): Promise<Timesheet> {
    return await this.read('getTimesheet', `/timesheets/${segment(id)}`, {}, waiting);
  }

  /** Makes a payment, whose id the answer has. The worker has been paid once that is `completed`. */
  async approveTimesheet(reviewed: Reviewed, writing: Writing): Promise<Timesheet> {
    return await this.write('approveTimesheet', ...approval('timesheets', reviewed), writing);
  }

  async rejectTimesheet(reviewed: Reviewed, reason: string, writing: Writing): Promise<Timesheet> {
    return await this.write('rejectTimesheet', ...rejection('timesheets', reviewed, reason), writing);
  }

  async getMilestone(id: string, waiting?: Waiting): Promise<Milestone> {
    return await this.read('getMilestone', `/milestones/${segment(id)}`, {}, waiting);
  }

  /** Makes a payment, which is processed at once. */
  async approveMilestone(reviewed: Reviewed, writing: Writing): Promise<Milestone> {
    return await this.write('approveMilestone', ...approval('milestones', reviewed), writing);
  }

  async rejectMilestone(reviewed: Reviewed, reason: string, writing: Writing): Promise<Milestone> {
    return await this.write('rejectMilestone', ...rejection('milestones', reviewed, reason), writing);
  }

  async listPayments(query: PaymentQuery = {}, waiting?: Waiting): Promise<Page<Payment>> {
    return await this.read('listPayments', '/payments', query, waiting);
  }

  async getPayment(id: string, waiting?: Waiting): Promise<Payment> {
    return await this.read('getPayment', `/payments/${segment(id)}`, {}, waiting);
  }

  /** A failure says that the balances are unknown, never that they are zero. */
  async getBalances(waiting?: Waiting): Promise<Balances> {
    return await this.read('getBalances', '/balances', {}, waiting);
  }

  async getBusiness(waiting?: Waiting): Promise<Business> {
    return await this.read('getBusiness', '/business', {}, waiting);
  }

  /** The machine-readable contract (OpenAPI 3.1). */
  async getOpenApi(waiting?: Waiting): Promise<Record<string, unknown>> {
    return await this.read('getOpenApi', '/openapi.json', {}, waiting);
  }

  /** All that the filters let through, page after page. */
  contracts(query: ContractQuery = {}, waiting?: Waiting): AsyncGenerator<ContractSummary, void> {
    return each((cursor) => this.listContracts({ ...query, ...cursor }, waiting));
  }

  milestones(contractId: string, query: MilestoneQuery = {}, waiting?: Waiting): AsyncGenerator<Milestone, void> {
    return each((cursor) => this.listMilestones(contractId, { ...query, ...cursor }, waiting));
  }

  timesheets(query: TimesheetQuery = {}, waiting?: Waiting): AsyncGenerator<Timesheet, void> {
    return each((cursor) => this.listTimesheets({ ...query, ...cursor }, waiting));
  }

  payments(query: PaymentQuery = {}, waiting?: Waiting): AsyncGenerator<Payment, void> {
    return each((cursor) => this.listPayments({ ...query, ...cursor }, waiting));
  }

  private async read<Answer>(
    name: string,
    path: string,
    query: NonNullable<Call['query']>,
    waiting?: Waiting,
  ): Promise<Answer> {
    return await this.sender.send<Answer>({ name, method: 'GET', path, query }, waiting);
  }

  private async write<Answer>(name: string, path: string, body: object, writing: Writing): Promise<Answer> {
    // In JavaScript it may be missing.
    const { operation, ...waiting } = (writing as Writing | undefined) ?? {};
    return await this.sender.send<Answer>({ name, method: 'POST', path, body: writeBody(body), operation }, waiting);
  }
}

const segment = encodeURIComponent;

function approval(kind: string, { id, version }: Reviewed): [path: string, body: object] {
  return [`/${kind}/${segment(id)}/approve`, { expectedVersion: version }];
}

function rejection(kind: string, { id, version }: Reviewed, reason: string): [path: string, body: object] {
  return [`/${kind}/${segment(id)}/reject`, { expectedVersion: version, reason }];
}

async function* each<Item>(list: (more: { cursor?: string }) => Promise<Page<Item>>): AsyncGenerator<Item, void> {
  for (let page = await list({}); ; page = await list({ cursor: page.nextCursor })) {
    yield* page.data;
    if (page.nextCursor === null) return;
  }
}
