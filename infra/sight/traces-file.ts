/** Relative to the repository's root. */
export const TRACES_FILE = '.local/traces.jsonl';
