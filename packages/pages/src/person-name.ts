import type { Wording } from './sent-form.js';

/** Errors in a person's name, on every form with that field. */
export const PERSON_NAME_WORDING: Wording = {
  'name too_short': 'Enter a name',
  'name too_long': 'The name must be 200 characters or fewer',
  'name invalid_characters': 'The name contains characters that are not allowed',
  'name contains_address': 'The name must not contain an e-mail or web address',
};
