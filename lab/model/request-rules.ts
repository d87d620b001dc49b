import { reachable, type State } from './request-state.ts';

/** States that no client may observe and no database may contain. */
export function broken(state: State): string | null {
  for (const [history, { drafts, guarded }] of reachable(state)) {
    if (drafts.some((count) => count > 1)) return 'one request has made two drafts';
    if (guarded.filter(Boolean).length > 1) return 'one key has made two drafts within a database, of two requests';
    for (const { told, payload, history: answered } of state.requests) {
      if (answered !== history) continue;
      if (told === 'applied' && drafts[payload] === 0) return 'a client was told of a draft that is not there';
      if (told === 'refused' && drafts[payload]! > 0) return 'a client was told of a refusal, and the draft is there';
    }
  }
  return null;
}

export function unfinished({ requests: [last] }: State): string | null {
  const isTold = last?.stage === 'over' && last.told !== 'nothing' && last.told !== 'turned away';
  return isTold ? null : 'a retry never learns what became of it';
}
