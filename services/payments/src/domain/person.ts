/** A person is identified by email address, whatever token or membership they act with (ADR 18). */
export function isSamePerson(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
