/** A sentence for the next page, marked if it reports a failure. */
export interface Notice {
  notice?: string;
  isFailure?: true;
}

/** As the browser returns it, so not trusted. */
export function readNotice(text: string): Notice | null {
  try {
    const { notice, isFailure } = Object(JSON.parse(text)) as Record<string, unknown>;
    if (typeof notice !== 'string') return null;
    return { notice: notice.slice(0, 300), ...(isFailure === true && { isFailure }) };
  } catch {
    return null;
  }
}
