/** Something that is true of a sound system, and how to find what contradicts it: each row is one sentence, in `what`. */
export interface Judgement {
  readonly sentence: string;
  readonly sql: string;
}
