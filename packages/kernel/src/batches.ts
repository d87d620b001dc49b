import { unavailable } from './error.js';

interface BatchesOptions<Question, Answer> {
  /** Sends one message and returns the answers to its questions, in their order. */
  send: (questions: readonly Question[]) => readonly Promise<Answer>[];
  maxSize: number;
  /** A message that is not answered by then no longer holds up the next; at 0 none ever does. */
  maxWaitMs: number;
}

interface Waiting<Question, Answer> {
  question: Question;
  isGone: () => boolean;
  resolve: (answer: Promise<Answer>) => void;
  reject: (reason: Error) => void;
}

/** Asks many questions in few messages: new ones wait while a message is under way, so messages grow under load. */
export class RequestBatcher<Question, Answer> {
  private waiting: Waiting<Question, Answer>[] = [];
  private underWay = 0;
  private leaving = false;

  constructor(private readonly options: BatchesOptions<Question, Answer>) {}

  /** A question whose asker is gone before it leaves is never sent. */
  ask(question: Question, isGone: () => boolean = () => false): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ question, isGone, resolve, reject });
      this.leaveSoon();
    });
  }

  /** At the end of this turn of the event loop, so that requests from other sockets join the batch. */
  private leaveSoon(): void {
    if (this.leaving || this.underWay > 0 || this.waiting.length === 0) return;
    this.leaving = true;
    setImmediate(() => {
      this.leaving = false;
      const { maxSize } = this.options;
      const { wanted = [], gone = [] } = Object.groupBy(this.waiting, ({ isGone }) => (isGone() ? 'gone' : 'wanted'));
      this.waiting = [];
      for (const { reject } of gone) reject(unavailable('Whoever asked'));
      for (let at = 0; at < wanted.length; at += maxSize) this.sendOut(wanted.slice(at, at + maxSize));
    });
  }

  private sendOut(batch: readonly Waiting<Question, Answer>[]): void {
    const answers = this.options.send(batch.map(({ question }) => question));
    batch.forEach(({ resolve }, place) => resolve(answers[place]!));
    if (this.options.maxWaitMs > 0) this.holdUntil(answers);
  }

  private holdUntil(answers: readonly Promise<Answer>[]): void {
    this.underWay++;
    let isHeld = true;
    const letGo = (): void => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(hold);
      this.underWay--;
      this.leaveSoon();
    };
    const hold = setTimeout(letGo, this.options.maxWaitMs);
    void Promise.allSettled(answers).then(letGo);
  }
}
