/** `application/json`, in UTF-8 if a charset is named; other parameters mean nothing to JSON (RFC 8259 §11). */
export function isJson(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.map((part) => /^charset="?([^"]*)"?$/.exec(part)?.[1]).find((name) => name !== undefined);
  return type === 'application/json' && (charset === undefined || charset === 'utf-8');
}
