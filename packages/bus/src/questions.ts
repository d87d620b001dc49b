import { createInbox, type Msg, type NatsConnection } from 'nats';
import { NoReply } from './request-reply.js';

interface Question {
  resolve: (reply: Msg) => void;
  reject: (reason: Error) => void;
  timer: NodeJS.Timeout;
}

/** What NATS itself answers where nobody listens. */
const NO_RESPONDERS = 503;

/**
 * Questions under way, all answered at one inbox. The client's own `request` makes six promises and an error object for
 * each: twice the CPU of a question that is asked alone.
 */
export class Questions {
  private readonly open = new Map<string, Question>();
  private readonly inbox: string;
  private asked = 0;

  constructor(inboxPrefix: string) {
    this.inbox = createInbox(inboxPrefix);
  }

  /** Where `hear` has to listen. */
  get subject(): string {
    return `${this.inbox}.*`;
  }

  /** @throws NoReply when nobody listens or replies in time; Error when NATS refuses the message. */
  ask(nats: NatsConnection, subject: string, body: string, timeoutMs: number): Promise<Msg> {
    const reply = `${this.inbox}.${this.asked++}`;
    return new Promise((resolve, reject) => {
      nats.publish(subject, body, { reply });
      const timer = setTimeout(() => {
        this.open.delete(reply);
        reject(new NoReply('timeout'));
      }, timeoutMs);
      this.open.set(reply, { resolve, reject, timer });
    });
  }

  hear(message: Msg): void {
    const question = this.open.get(message.subject);
    // Too late.
    if (!question) return;
    this.open.delete(message.subject);
    clearTimeout(question.timer);
    if (message.data.length === 0 && message.headers?.code === NO_RESPONDERS)
      question.reject(new NoReply('no_responders'));
    else question.resolve(message);
  }
}
