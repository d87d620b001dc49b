const ROOT = '/v1/docs';

/** Where a page of the reference stands, or a part of it. */
export function pathOf(page: string, part?: string): string {
  return `${ROOT}${page === '' ? '' : `/${page}`}${part === undefined ? '' : `#${part}`}`;
}
