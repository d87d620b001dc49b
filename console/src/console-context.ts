import { setTimeout as pause } from 'node:timers/promises';
import type { ActorTokens, AdmissionClient, AdmissionGranted, Person, PersonQuestion } from '@payroll/admission';
import { canonicalJson, derivedId, DomainError, isSignedIn, notFound, type Role } from '@payroll/kernel';
import {
  SignInRedirect,
  PageContext,
  hashSecret,
  isSecret,
  formPagePath,
  savedFormOf,
  type SavedForm,
  type WorkspaceNav,
  type SentForm,
  type SignedInUser,
} from '@payroll/pages';
import type { Log, Deployment } from '@payroll/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { graphql, type GraphqlOperation, type PreparedOperations, type Run } from './operations.js';

/** A part of a workspace's pages, as its members' navigation shows it. */
export interface Shown {
  label: string;
  /** Sections of the same group are shown together. */
  group: string;
  /** How many items wait in it, counted up to 100. */
  waiting?: (run: Run) => Promise<number>;
  /** The roles whose navigation shows it. Each page checks its own rights. */
  for: readonly Role[];
  /** Only in test deployments. */
  isTest?: true;
}

interface Application {
  admission: Pick<AdmissionClient, 'ask' | 'askPerson'>;
  operations: PreparedOperations;
  deployment: Deployment;
  /** By their name in the address. */
  sections: Readonly<Record<string, Shown>>;
  origin: string;
  log: Log;
}

const takeTypedForm = graphql('mutation takeTypedForm($path: String!) { takeTypedForm(path: $path) }');

const keepTypedForm = graphql('mutation keepTypedForm($draft: String!) { keepTypedForm(draft: $draft) }');

/** The longest that a page waits for the counts in its navigation. */
const COUNTING_MS = 250;

/** Also for the second of two clicks on leaving. */
const NOT_HERE = 'You do not belong to this workspace, or no longer do. The start page shows where you do.';

const exchanges = new WeakMap<FastifyRequest, ConsoleContext>();

/** A browser's request and its signed-in person, whose admission is queried once per request. */
export class ConsoleContext extends PageContext {
  protected override readonly hasIslands = true;
  private answered: Promise<AdmissionGranted> | undefined;
  private shown: SignedInUser | null = null;

  private constructor(
    readonly application: Application,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    super(request, reply, application.origin);
  }

  static of(application: Application, request: FastifyRequest, reply: FastifyReply): ConsoleContext {
    const exchange = exchanges.get(request) ?? new ConsoleContext(application, request, reply);
    exchanges.set(request, exchange);
    return exchange;
  }

  /** From the address, even if no page has that address. */
  private get workspaceId(): string {
    return this.below[1] ?? '';
  }

  /** The name of the section in the address; empty for the first one. */
  get section(): string {
    return this.below[2] ?? '';
  }

  private get below(): readonly string[] {
    return /^\/(?:workspaces|work)\/([^/?]+)(?:\/([^/?]+))?(\/[^/?]+)?/.exec(this.request.url) ?? [];
  }

  /** Whether this is a page for workers, who are admitted as such; all others are for members. */
  get isWork(): boolean {
    return this.request.url.startsWith('/work/');
  }

  /** Whether this is a page below the first one of its section. */
  get isBelow(): boolean {
    return this.below[3] !== undefined;
  }

  /** The person's admission to the workspace of the path, queried once per request. @throws SignInRedirect, DomainError `NOT_FOUND` */
  admitted(): Promise<AdmissionGranted> {
    this.answered ??= this.askWorkspace(this.workspaceId, this.isWork ? 'worker' : undefined);
    return this.answered;
  }

  /** The signed-in person, for a page that belongs to no workspace. @throws SignInRedirect */
  async person({ withData }: Pick<PersonQuestion, 'withData'>): Promise<Person> {
    const found = await this.application.admission.askPerson({ proof: this.proof, withData });
    if (found === null) throw new SignInRedirect('sign-in', formPagePath(this.request));
    this.shown = { name: found.name, key: found.name };
    return found;
  }

  /** Runs operations as the worker of a workspace, for about 15 s. @throws DomainError, SignInRedirect as for a page there */
  async asWorkerOf(workspaceId: string): Promise<Run> {
    const { tokens } = await this.askWorkspace(workspaceId, 'worker');
    return (operation, given) => this.runWith(tokens, operation, given);
  }

  /** The proof of the session in the cookie. @throws SignInRedirect */
  private get proof(): string {
    const secret = this.cookies.read('session');
    if (!isSecret(secret)) throw new SignInRedirect('sign-in', formPagePath(this.request));
    return hashSecret(secret);
  }

  /** Asks for a recent password before the form is filled in, not after it is sent. @throws SignInRedirect */
  async requireRecent(): Promise<void> {
    const { actor } = (await this.admitted()).origin;
    const isRecent = isSignedIn(actor) && actor.hasRecentPassword;
    if (!isRecent && !this.isForm) throw new SignInRedirect('password', formPagePath(this.request));
  }

  /** Forces a new admission check. A long download calls it between pages, so that it stops when the session or role ends. */
  reauthorized(): this {
    this.answered = undefined;
    return this;
  }

  private async askWorkspace(workspaceId: string, as?: 'worker'): Promise<AdmissionGranted> {
    const { request } = this;
    const answer = await this.application.admission.ask({
      credential: { kind: 'session', proof: this.proof },
      requestId: request.id,
      clientAddress: request.ip,
      limit: this.isForm ? 'writes' : 'reads',
      scope: null,
      workspaceId,
      as,
    });
    if (answer.admitted) {
      const { actor } = answer.origin;
      if (answer.names && isSignedIn(actor)) this.shown = { name: answer.names.person, key: actor.person };
      return answer;
    }
    const { code, message, details, retryAfterSeconds } = answer;
    if (code === 'INVALID_CREDENTIAL') throw new SignInRedirect('sign-in', formPagePath(request));
    if (code === 'NOT_FOUND') throw this.isForm ? new DomainError(code, NOT_HERE) : notFound('What this address names');
    throw new DomainError(code, message, { details, retryAfterSeconds });
  }

  /** @throws DomainError the first refusal of any service */
  async run<Data, Given>(operation: GraphqlOperation<Data, Given>, given: Given): Promise<Data> {
    const { tokens } = await this.admitted();
    return await this.runWith(tokens, operation, given);
  }

  private async runWith<Data, Given>(
    tokens: ActorTokens,
    operation: GraphqlOperation<Data, Given>,
    given: Given,
  ): Promise<Data> {
    const { request, reply, application } = this;
    const caller = { tokens, requestId: request.id, isGone: () => reply.raw.destroyed };
    return await application.operations.run(operation, given, caller);
  }

  /** Keeps what was typed into a form that cannot be accepted yet. */
  async keepTypedForm(): Promise<void> {
    await this.run(keepTypedForm, { draft: JSON.stringify(savedFormOf(this.request)) });
  }

  /** Restores, once, what was typed into this page before its session ended; `body` and `typed` then return it. */
  async takeTypedForm(): Promise<void> {
    const { takeTypedForm: fields } = await this.run(takeTypedForm, { path: this.request.url });
    await this.restore(fields === null ? null : (JSON.parse(fields) as SavedForm['fields']));
  }

  /** The submitted or the restored form; null for a page that is only shown. */
  get typed(): SentForm | null {
    return this.isForm || this.kept !== null ? this : null;
  }

  /**
   * Runs a mutation. The operation id is derived from the form and its values: the same form sent again is applied once, and
   * a form corrected after going back is a new operation instead of a replay of the first (ADR 22). @throws DomainError
   */
  mutate<Data, Given>(
    operation: GraphqlOperation<Data, Given>,
    given: Omit<Given, 'operationId'>,
    formId: string,
  ): Promise<Data> {
    const operationId = derivedId(formId, canonicalJson(given));
    return this.run(operation, { ...given, operationId } as unknown as Given);
  }

  /** Adds how many items wait in each section. A count that is late or fails is left out. */
  protected override async placeShown(): Promise<WorkspaceNav | null> {
    const { place } = this;
    const { sections } = this.application;
    if (place === null || this.isWork) return place;
    const run: Run = (operation, given) => this.run(operation, given);
    const counts = Object.values(sections).map(async ({ label, waiting }) => {
      if (waiting === undefined) return [label, 0] as const;
      const late = pause(COUNTING_MS, 0, { ref: false });
      return [label, await Promise.race([waiting(run).catch(() => 0), late])] as const;
    });
    const found = new Map(await Promise.all(counts));
    const navigation = place.navigation.map((group) =>
      group.map((link) => ({ ...link, waiting: found.get(link.label) ?? 0 })),
    );
    return { ...place, navigation };
  }

  protected visitorShown(): Promise<SignedInUser | null> {
    return Promise.resolve(this.shown);
  }
}
