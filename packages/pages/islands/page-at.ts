/** The page that the server answers with; null where it leads elsewhere, such as to the sign-in page, or fails. */
export async function pageAt(address: string, request: RequestInit): Promise<Document | null> {
  try {
    const answer = await fetch(address, request);
    if (answer.redirected || answer.status >= 500) return null;
    return new DOMParser().parseFromString(await answer.text(), 'text/html');
  } catch {
    return null;
  }
}
