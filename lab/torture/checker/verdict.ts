/** Each rule is a sentence, with a function that finds violations. */
export type Rules<Evidence> = Readonly<Record<string, (evidence: Evidence) => string[]>>;

export interface Finding {
  rule: string;
  what: string[];
}

export function contradictions<Evidence>(rules: Rules<Evidence>, evidence: Evidence): Finding[] {
  return Object.entries(rules)
    .map(([rule, find]) => ({ rule, what: find(evidence) }))
    .filter(({ what }) => what.length > 0);
}
