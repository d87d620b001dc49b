import { unavailable } from '@payroll/kernel';

/** Answers come within milliseconds. One that takes longer may be lost, and is no reason for others to wait. */
export const HOLD_MS = 100;

const MAX_SIZE = 200;

interface Waiting<Question, Answer> {
  question: Question;
  isGone: () => boolean;
  resolve: (answer: Answer) => void;
  reject: (reason: unknown) => void;
}

/**
 * Asks many questions in few messages. While a message is under way, questions wait for it to come back and then leave
 * together: nobody waits where little is asked, and the more is asked, the fewer messages there are for it.
 */
export class Batches<Question, Answer> {
  private waiting: Waiting<Question, Answer>[] = [];
  private underWay = 0;
  private leaving = false;

  /** `send` gives an answer to each question, in their order. */
  constructor(private readonly send: (questions: Question[]) => Promise<readonly Answer[]>) {}

  /**
   * A question whose asker is gone before it leaves is not asked.
   * @throws what `send` threw, to all questions of a batch.
   */
  ask(question: Question, isGone: () => boolean = () => false): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ question, isGone, resolve, reject });
      this.leave();
    });
  }

  /** At the end of this turn of the event loop: what other sockets bring in it comes along. */
  private leave(): void {
    if (this.leaving || this.underWay > 0 || this.waiting.length === 0) return;
    this.leaving = true;
    setImmediate(() => {
      this.leaving = false;
      const wanted = this.waiting.filter((each) => !isDropped(each));
      this.waiting = [];
      for (let at = 0; at < wanted.length; at += MAX_SIZE) void this.run(wanted.slice(at, at + MAX_SIZE));
    });
  }

  /** Never rejects. */
  private async run(batch: readonly Waiting<Question, Answer>[]): Promise<void> {
    const letGo = this.holdOthers();
    try {
      const answers = await this.send(batch.map(({ question }) => question));
      for (const [n, { resolve }] of batch.entries()) resolve(answers[n]!);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    letGo();
  }

  private holdOthers(): () => void {
    this.underWay++;
    const letGo = (): void => {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      this.underWay--;
      this.leave();
    };
    let timer: NodeJS.Timeout | undefined = setTimeout(letGo, HOLD_MS);
    return letGo;
  }
}

function isDropped({ isGone, reject }: Pick<Waiting<unknown, unknown>, 'isGone' | 'reject'>): boolean {
  const gone = isGone();
  if (gone) reject(unavailable('Whoever asked'));
  return gone;
}
