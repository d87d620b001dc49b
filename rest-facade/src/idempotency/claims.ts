import type { EntityManager } from '@mikro-orm/postgresql';
import { Batches, errorForLog } from '@payroll/kernel';
import type { Log } from '@payroll/process';
import { asDomainError, inBatches, OUTCOME_DAYS, SKIPPING, sql } from '@payroll/store';
import {
  freeKey,
  keepAnswers,
  setLease,
  takeOrFind,
  type ClaimRequest,
  type FoundClaim,
  type HeldClaim,
  type StoredAnswer,
} from './claim-statements.js';

export type Begun =
  | { kind: 'held'; claim: HeldClaim }
  | { kind: 'done'; answer: StoredAnswer }
  | { kind: 'in_progress' | 'reused' | 'expired' };

/** Left where another attempt has the claim by now; elsewhere where the database is of another history than the claim. */
export type Completed = 'kept' | 'left' | 'elsewhere';

interface Answered {
  claim: HeldClaim;
  answer: StoredAnswer;
}

/** A statement takes a few milliseconds. One that waits for a row should not hold up others. */
const HOLD_MS = 100;
const MOST_IN_A_STATEMENT = 100;

/** The keys of the write operations; those that come together are taken, and settled, together. All time is the database's. */
export class IdempotencyClaims {
  private readonly beginning: Batches<ClaimRequest, Begun | null>;
  private readonly completing: Batches<Answered, Completed>;

  constructor(private readonly em: EntityManager) {
    const limits = { maxSize: MOST_IN_A_STATEMENT, holdMs: HOLD_MS };
    this.beginning = new Batches({ ...limits, send: apart((requests) => this.beginAll(requests)) });
    this.completing = new Batches({ ...limits, send: apart((answered) => this.completeAll(answered)) });
  }

  /**
   * Takes the key, takes it over from a request whose lease lapsed, or finds its state: one round trip.
   * @throws DomainError `SERVICE_UNAVAILABLE` when Postgres is.
   */
  async begin(request: ClaimRequest): Promise<Begun> {
    for (;;) {
      const begun = await this.beginning.ask(request);
      if (begun) return begun;
    }
  }

  /** Keeps the answer for replays. */
  async complete(claim: HeldClaim, answer: StoredAnswer): Promise<Completed> {
    return await this.completing.ask({ claim, answer });
  }

  /** After a definitive refusal: the key's next use is a new operation. */
  async free(claim: HeldClaim): Promise<boolean> {
    return await orUnavailable(freeKey(this.em, claim));
  }

  async renew(claim: HeldClaim): Promise<boolean> {
    return await orUnavailable(setLease(this.em, claim));
  }

  /** Lets a retry take over at once, with the same operation id. */
  async giveUp(claim: HeldClaim): Promise<boolean> {
    return await orUnavailable(setLease(this.em, claim, true));
  }

  /** Empties answers past their retention. The rows stay as tombstones. */
  async emptyExpired(): Promise<number> {
    return await inBatches(
      this.em,
      (limit) => sql`
        update idempotency_claim set body = null where (principal_id, key) in (
          select principal_id, key from idempotency_claim where body is not null
            and finished_at <= clock_timestamp() - make_interval(days => ${OUTCOME_DAYS}) ${limit} ${SKIPPING})`,
    );
  }

  /** Null for a request whose key another of them has: it is asked again. */
  private async beginAll(requests: readonly ClaimRequest[]): Promise<(Begun | null)[]> {
    const firsts = new Map(requests.toReversed().map((request) => [keyOf(request), request]));
    const rows = await takeOrFind(this.em, [...firsts.values()]);
    const found = new Map(rows.map((row) => [keyOf(row), row]));
    return requests.map((request) => {
      const key = keyOf(request);
      return firsts.get(key) === request ? begunBy(request, found.get(key)!) : null;
    });
  }

  private async completeAll(answered: readonly Answered[]): Promise<Completed[]> {
    const attempts = new Map((await keepAnswers(this.em, answered)).map((each) => [attemptOf(each), each]));
    return answered.map(({ claim }) => {
      const { isHere, isKept } = attempts.get(attemptOf(claim))!;
      if (!isHere) return 'elsewhere';
      return isKept ? 'kept' : 'left';
    });
  }
}

/** Several at once, and should that fail, each by itself: none fails for another's sake. */
function apart<Question, Answer>(run: (questions: readonly Question[]) => Promise<readonly Answer[]>) {
  return (questions: readonly Question[]): Promise<Answer>[] => {
    const together = run(questions);
    const alone = async (question: Question): Promise<Answer> => (await orUnavailable(run([question])))[0]!;
    return questions.map((question, place) =>
      together.then(
        (answers) => answers[place]!,
        (error: unknown) => {
          if (questions.length === 1) throw asDomainError(error);
          return alone(question);
        },
      ),
    );
  };
}

async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw asDomainError(error);
  }
}

function keyOf({ principalId, key }: Pick<HeldClaim, 'principalId' | 'key'>): string {
  return `${principalId} ${key}`;
}

function attemptOf({ operationId, attempt }: Pick<HeldClaim, 'operationId' | 'attempt'>): string {
  return `${operationId} ${attempt}`;
}

function begunBy({ principalId, key, fingerprint, requestId }: ClaimRequest, row: FoundClaim): Begun {
  if (row.fingerprint !== fingerprint) return { kind: 'reused' };
  if (row.isExpired) return { kind: 'expired' };
  if (row.state === 'done') return { kind: 'done', answer: { status: row.status!, body: row.body! } };
  if (row.requestId !== requestId) return { kind: 'in_progress' };
  const { operationId, attempt, history } = row;
  return { kind: 'held', claim: { principalId, key, operationId, attempt, history } };
}

/** Expiry itself needs no timer, the claim's age decides: this only frees the space of answers that nobody can ask for. */
export function emptyEachHour(claims: Pick<IdempotencyClaims, 'emptyExpired'>, log: Log): Disposable {
  const empty = async (): Promise<void> => {
    try {
      const emptied = await claims.emptyExpired();
      if (emptied > 0) log.info({ emptied }, 'emptied answers past their retention');
    } catch (error) {
      log.warn({ error: errorForLog(error) }, 'could not empty answers past their retention');
    }
  };
  const timer = setInterval(() => void empty(), 3_600_000);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
