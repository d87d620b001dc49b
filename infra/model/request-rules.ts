import { reachable, type State } from './request-state.ts';

/** What no client may see, and no database hold. */
export function broken(state: State): string | null {
  for (const [history, { drafts, outcomes }] of reachable(state)) {
    if (drafts > 1) return 'one key has made two drafts';
    for (const { told, operation, after, history: answered } of state.requests) {
      if (answered !== history) continue;
      if (told === 'applied' && drafts === 0) return 'a client was told of a draft that is not there';
      if (told === 'refused' && after === history) return 'a retry was refused though the draft had been made';
      if (told === 'refused' && outcomes[operation] === 'applied')
        return 'an operation was applied after its refusal was told';
    }
  }
  return null;
}

export function unfinished({ requests: [last] }: State): string | null {
  const isTold = last?.told === 'applied' || last?.told === 'refused' || last?.told === 'forgotten';
  return isTold ? null : 'a retry never learns what became of it';
}
