/** The console's question for pages that belong to no workspace: whose session this is. The answer gives access to none. */
export interface PersonQuestion {
  /** The SHA-256 of the session's secret. */
  proof: string;
  /** Whether the answer has all that the pages of the account show. */
  withData: boolean;
}

export interface Person {
  name: string;
  /** The workspaces that they work for, by name. */
  employers: readonly { workspaceId: string; workspaceName: string }[];
  /** Null unless the question has `withData` and the password is recent. */
  data: Readonly<Record<string, unknown>> | null;
}

/** @throws TypeError for anything else than a list of questions */
export function readPersonQuestions(body: unknown): PersonQuestion[] {
  const isQuestion = (each: Partial<PersonQuestion> | null): boolean => {
    return typeof each?.proof === 'string' && typeof each.withData === 'boolean';
  };
  if (Array.isArray(body) && body.every(isQuestion)) return body as PersonQuestion[];
  throw new TypeError('Each question names a session by its proof.');
}
