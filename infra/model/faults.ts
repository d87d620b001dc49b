/** Each is a line that the code has, or had to get, and that the model can do without: then it has to find what that breaks. */
export const faults = {
  'history-remembered': 'a consumer compares the history of an event with one that it read before its transaction',
  'receipt-without-history': 'a receipt counts in whatever history it arrives',
  'event-without-history': 'an event is applied in whatever history it arrives',
  'publish-before-commit': 'an event goes out before the transaction that emits it commits',
  'receipt-before-commit': 'a receipt goes out before the transaction that applies the event commits',
  'no-inbox': 'a consumer does not look whether it has applied the event before',
  'no-unique-payment': 'a piece of work may have several payments, once the notes of the inbox are forgotten',
  'note-of-another-history': 'an event of another history is noted in the inbox, and then dropped',
  'one-confirms-for-all': 'the receipt of any consumer strikes the event out for all of them',
  'unconfirmed-forgotten': 'an event may be deleted before it is confirmed',
  'offered-once': 'an event whose receipts do not come is not offered again',
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
