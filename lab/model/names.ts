/** Every step of the model. lab/model/model.md lists the function that each step represents. */
export const stepNames = [
  'approve',
  'deliver again',
  'ask',
  'apply',
  'replay',
  'confirm',
  'delete event',
  'begin payout',
  'take attempt',
  'submit',
  'look up',
  'provider settles',
  'record answer',
  'retry payment',
  'register key',
  'look up key',
  'decide operation',
  'record refusal',
  'turn away',
  'free key',
  'forget outcome',
  'move clock',
  'commit',
  'poll',
  'copy',
  'switch',
  'disconnect',
  'restart',
  'lose requests',
  'lose replies',
  'lose answer',
  'roll back',
  'tick',
  'change outside',
  'provider forgets',
] as const;

export type StepName = (typeof stepNames)[number];

/** Each fault removes a line that the code has or needed; the model must then find what breaks. */
export const faults = {
  'history-remembered': 'a consumer compares the history of an event with one that it read before its transaction',
  'reply-without-history': 'a reply confirms the event in whatever history it arrives',
  'event-without-history': 'an event is applied in whatever history it arrives',
  'deliver-before-commit': 'a consumer is asked to apply an event before the transaction that emits it commits',
  'reply-before-commit': 'a consumer replies before the transaction that applies the event commits',
  'no-look-up': 'a consumer does not look whether it has applied the event before',
  'no-unique-payment': 'a consumer does not look either, and a piece of work may have several payments',
  'note-of-another-history': 'an event of another history is recorded as an operation, and not applied',
  'one-confirms-for-all': 'the reply of any consumer confirms the event for all of them',
  'unconfirmed-deleted': 'an event may be deleted before it is confirmed',
  'asked-once': 'a consumer that does not reply is not asked again',
  'key-changes-on-retry': 'the same attempt goes to the provider under a new key each time',
  'key-of-the-approval': 'the key of a payout follows from the approval, and not from the work',
  'resubmitted-after-acknowledgement': 'what the provider has acknowledged and no longer knows is submitted again',
  'declined-before-asked': 'a new attempt is made while the one before may still be under way',
  'operation-unchecked': 'a service does not look whether it has decided the operation before',
  'refusal-not-recorded': 'a refused operation leaves no trace',
  'refusal-unchecked': 'a refusal is recorded though a copy of the operation was decided since the roll-back',
  'turned-away-frees': 'being turned away frees the key, as a recorded refusal does',
  'freed-for-any': 'a recorded refusal frees the key, whichever request has it by now',
  'id-made-up': 'the id of the operation is made up and kept with the key, and does not follow from the request',
  'told-before-commit': 'a caller is told before the transaction commits',
  'clock-outside-lock': 'the time of a change is taken before the change clock is locked',
  'clock-of-the-wall': 'the change clock follows the clock of the machine, also back',
} as const;

export type Fault = keyof typeof faults;
export type Faults = ReadonlySet<Fault>;

export const allFaults = Object.keys(faults) as readonly Fault[];
