/** Description, text, and whether the schema itself refuses it. */
export type WrongText = [what: string, text: string, isInSchema: boolean];

/** Texts that resemble a format and are invalid. */
export const WRONG_TEXTS: Readonly<Record<string, WrongText[] | undefined>> = {
  uuid: [
    ['no id', 'no-id', true],
    ['an id with a space', '019b2f6e-6c1d-7a54-8f0e-5d2f3a9b7c41 ', true],
    ['an id of version 9', '019b2f6e-6c1d-9a54-8f0e-5d2f3a9b7c41', false],
  ],
  date: [
    ['a day that is not in the calendar', '2027-02-29', true],
    ['the year zero', '0000-01-01', false],
    ['a moment for a day', '2027-02-28T00:00:00Z', true],
    ['a day with one digit', '2027-2-8', true],
  ],
  'date-time': [
    ['a moment with an offset', '2027-02-28T00:00:00+01:00', false],
    ['a moment without a zone', '2027-02-28T00:00:00', true],
    ['an hour that no day has', '2027-02-28T25:00:00Z', true],
    ['a day for a moment', '2027-02-28', true],
  ],
  email: [
    ['no address', 'nobody', true],
    ['two addresses', 'a@b.example,c@d.example', true],
    ['a line break in an address', 'a@b.example\n', true],
  ],
};
