/** What this package needs of a logger; pino fits. It is never handed a body. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
