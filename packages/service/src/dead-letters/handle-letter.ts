import {
  DomainError,
  isEmail,
  isId,
  newId,
  DENY_ALL,
  notFound,
  type ServiceName,
  enteredText,
  type CommandPolicy,
  isStaff,
} from '@payroll/kernel';
import { type CommandTransaction, defineCommand, DeadLetterStepTable, DeadLetterTable } from '@payroll/commands';
import { type DeadLetter, type DeadLetterState, letterById, toDeadLetter } from './letters.js';

/** People of operations, and operators at a service's shell. */
const OPERATORS: CommandPolicy = { ...DENY_ALL, teams: ['operations'], system: true };

interface HandleLetter {
  /** The service that could not apply it. */
  service: ServiceName;
  id: string;
  /** The operator's name, only from the shell: other callers are identified by their token. */
  by?: string | undefined;
}

/** It is applied by the command of its type soon after, or is a dead letter again. */
export const putBackLetter = defineCommand('dead-letter.put-back', {
  who: OPERATORS,
  decide: (tx, input: HandleLetter) =>
    changeState(tx, input, { to: 'put_back', from: ['waiting', 'put_aside'], reason: null }),
});

interface PutLetterAside extends HandleLetter {
  /** Why nothing is to be done about it, 1–500 characters. */
  reason: string;
}

/** The letter stays stored, but no longer raises an alert. */
export const putLetterAside = defineCommand('dead-letter.put-aside', {
  who: OPERATORS,
  decide: (tx, input: PutLetterAside) => {
    const reason = enteredText('reason', input.reason, 500);
    return changeState(tx, input, { to: 'put_aside', from: ['waiting'], reason });
  },
});

interface Move {
  to: 'put_back' | 'put_aside';
  from: readonly DeadLetterState[];
  reason: string | null;
}

/** The change clock serializes two concurrent attempts; the second one reads the result of the first. */
async function changeState(
  tx: CommandTransaction,
  { service, id, by }: HandleLetter,
  { to, from, reason }: Move,
): Promise<DeadLetter> {
  const [row] = isId(id) ? await tx.read(letterById(tx.workspaceId, id)) : [];
  if (!row) throw notFound('The dead letter');
  const letter = toDeadLetter(service, row);
  if (!from.includes(letter.state)) throw new DomainError('INVALID_STATE', conflictMessage(letter));
  const step = { step: to, at: tx.now, by: personOf(tx, by), reason };
  tx.update(DeadLetterTable, row, { state: to });
  tx.insert(DeadLetterStepTable, { id: newId(), eventId: row.eventId, ...step });
  tx.audit(`dead-letter.${to === 'put_back' ? 'put-back' : 'put-aside'}`, row.eventId, { by: step.by, reason });
  return { ...letter, state: to, story: [...letter.story, step] };
}

function personOf({ origin: { actor } }: CommandTransaction, by: string | undefined): string {
  if (isStaff(actor)) return actor.person;
  if (by !== undefined && isEmail(by)) return by;
  throw new DomainError('INVALID_REQUEST', 'by is the email address of who does this.');
}

function conflictMessage({ state, story }: DeadLetter): string {
  const { at, reason } = story.at(-1)!;
  const by = story.findLast((each) => each.by !== null)?.by;
  const whoAndWhy = [by && ` by ${by}`, reason && `: ${reason}`].filter(Boolean).join('');
  return `The dead letter is ${state.replace('_', ' ')} since ${at}${whoAndWhy}`;
}
