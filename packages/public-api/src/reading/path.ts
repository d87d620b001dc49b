/** Attackers name properties too: what is echoed stays short. */
const MAX_LENGTH = 200;

/** `milestones`, then `milestones[0]`, then `milestones[0].amount`. */
export function below(path: string, step: string | number): string {
  if (typeof step === 'number') return `${path}[${step}]`;
  const name = step.toWellFormed();
  return (path === '' ? name : `${path}.${name}`).slice(0, MAX_LENGTH);
}

/**
 * Where a JSON pointer leads, and what is there: only the value tells the index of an array from a property named `0`.
 */
export function placeOfPointer(pointer: string, root: unknown): { path: string; value: unknown } {
  let path = '';
  let at: unknown = root;
  for (const encoded of pointer.split('/').slice(1)) {
    const step = encoded.replaceAll('~1', '/').replaceAll('~0', '~');
    path = below(path, Array.isArray(at) ? Number(step) : step);
    at = at !== null && typeof at === 'object' ? (at as Record<string, unknown>)[step] : undefined;
  }
  return { path, value: at };
}
