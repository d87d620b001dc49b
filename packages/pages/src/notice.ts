/** A sentence for the next page; one about what failed looks like that. */
export interface Notice {
  notice?: string;
  isFailure?: true;
}

/** As the browser has kept it: whatever it says. */
export function readNotice(text: string): Notice | null {
  try {
    const { notice, isFailure } = Object(JSON.parse(text)) as Record<string, unknown>;
    if (typeof notice !== 'string') return null;
    return { notice: notice.slice(0, 300), ...(isFailure === true && { isFailure }) };
  } catch {
    return null;
  }
}
