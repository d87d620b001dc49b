import {
  DomainError,
  isDomainError,
  isId,
  isMember,
  notFound,
  type Role,
  withArticle,
  isWorker,
} from '@payroll/kernel';
import {
  type Order,
  type PlaceLink,
  sectionPath,
  workPath,
  OPERATION_FIELD,
  textOf,
  type SentForm,
} from '@payroll/pages';
import type { ConsoleContext } from './console-context.js';

/** A member in their workspace, with their current role. */
export type WorkspaceContext = Awaited<ReturnType<typeof requireMember>>;

/** For all members of the workspace in the path. @throws DomainError `NOT_FOUND` for other people, SignInRedirect */
export async function requireMember(ctx: ConsoleContext) {
  const { origin, names } = await ctx.admitted();
  const { workspaceId, role } = origin.actor;
  // Cannot happen: for a session, admission returns only members.
  if (!isMember(origin.actor) || role === null || !names) throw new TypeError('Only people visit pages.');
  const { section } = ctx;
  ctx.place = placeOf(ctx, workspaceId, names.workspace, role);
  return {
    workspaceId,
    role,
    names,
    membershipId: origin.actor.principalId,
    email: origin.actor.person,
    /** The path of the workspace. */
    home: sectionPath(workspaceId, ''),
    /** The path of the section. */
    path: sectionPath(workspaceId, section),
    /** @throws DomainError the first refusal of any service */
    run: ctx.run.bind(ctx),
    mutate: ctx.mutate.bind(ctx),
  };
}

function placeOf({ application, section, isBelow }: ConsoleContext, workspaceId: string, name: string, role: Role) {
  const { sections, deployment } = application;
  const shown = Object.entries(sections).filter(
    ([, { for: roles, isTest }]) => roles.includes(role) && (!isTest || deployment === 'test'),
  );
  const groups = Map.groupBy(shown, ([, { group }]) => group);
  const linkOf = ([name, { label, isTest }]: (typeof shown)[number]): PlaceLink => {
    return { label, path: sectionPath(workspaceId, name), isHere: name === section, isTest: isTest === true };
  };
  const here = isBelow ? shown.find(([name]) => name === section) : undefined;
  return {
    workspaceName: name,
    deployment,
    home: sectionPath(workspaceId, ''),
    search: sectionPath(workspaceId, 'search'),
    navigation: [...groups.values()].map((group) => group.map(linkOf)),
    crumbs: here ? [linkOf(here)] : [],
  };
}

/** They prepare, and admins decide. */
export const EDITORS: readonly Role[] = ['admin', 'member'];

/** For members with one of these roles; the page has nothing for others. The commands check the role themselves. */
export async function requireRole(ctx: ConsoleContext, roles: readonly Role[]): Promise<WorkspaceContext> {
  const found = await requireMember(ctx);
  if (roles.includes(found.role)) return found;
  const message = `This is for ${roles.map((role) => `${role}s`).join(' and ')} of ${found.names.workspace}; you are ${withArticle(found.role)}. Ask an admin.`;
  throw new DomainError('INSUFFICIENT_SCOPE', message);
}

/** For the workers of the workspace in the path. @throws DomainError `NOT_FOUND` for other people, its members too; SignInRedirect */
export async function requireWorker(ctx: ConsoleContext) {
  const { origin, names } = await ctx.admitted();
  // Cannot happen: below /work/ admission returns only workers.
  if (!isWorker(origin.actor) || !names) throw new TypeError('Only workers visit these pages.');
  const path = workPath(origin.actor.workspaceId);
  const linkOf = (label: string, section: string) => {
    const isHere = ctx.section === section || (section === '' && ctx.section === 'contracts');
    return { label, path: section === '' ? path : `${path}/${section}`, isHere };
  };
  ctx.place = {
    workspaceName: names.workspace,
    deployment: ctx.application.deployment,
    home: path,
    search: null,
    navigation: [
      [linkOf('Contracts', '')],
      [linkOf('Payments', 'payments'), linkOf('Payout details', 'payout-details')],
      [linkOf('Leave', 'leave')],
    ],
    crumbs: ctx.isBelow
      ? [ctx.section === 'payments' ? linkOf('Payments', 'payments') : { label: 'Contracts', path }]
      : [],
  };
  return { path, names, email: origin.actor.person };
}

/** The order and the cursor in the address of a list. `kept` is for its form, which need not name the usual order. */
export function pageIn(ctx: ConsoleContext, usual: Order = 'newest') {
  const asked = ctx.query('order');
  const order = asked === 'newest' || asked === 'oldest' ? asked : usual;
  const kept: Record<string, string> = order === usual ? {} : { order };
  return { order, kept, oldestFirst: order === 'oldest', cursor: ctx.query('cursor') || null };
}

/** The search text in the address, cut to the length that services accept: code points, or the cut could halve a character. */
export function searchIn(ctx: Pick<ConsoleContext, 'query'>, name = 'search'): string {
  return [...(ctx.query(name) ?? '').trim()].slice(0, 200).join('');
}

/** A filter in the address; null if it is missing or not valid. */
export function validIn(ctx: ConsoleContext, name: string, isValid: (text: string) => boolean): string | null {
  const text = ctx.query(name);
  return text !== undefined && isValid(text) ? text : null;
}

/** The id in the path. @throws DomainError `NOT_FOUND` if it is not a valid id */
export function idIn(ctx: ConsoleContext): string {
  const id = ctx.param('id');
  if (!isId(id)) throw notFound('What this address names');
  return id;
}

/** The form's operation id and the revision that its sender saw. */
export function sentBy(form: SentForm): { operationId: string; expectedRevision: number } {
  const [operationId, revision] = [operationIn(form), textOf(form, 'revision')];
  if (!/^\d{1,9}$/.test(revision)) throw notWhole();
  return { operationId, expectedRevision: Number(revision) };
}

export function operationIn(form: SentForm): string {
  const operationId = textOf(form, OPERATION_FIELD);
  if (!isId(operationId)) throw notWhole();
  return operationId;
}

function notWhole(): DomainError {
  return new DomainError('INVALID_STATE', 'Nothing was done: this form was not complete. Open its page again.');
}

/** Null for a part of a page whose service is unavailable: the others are still worth reading. */
export async function orUnread<Part>(part: Promise<Part>): Promise<Part | null> {
  try {
    return await part;
  } catch (error) {
    if (isDomainError(error, 'SERVICE_UNAVAILABLE')) return null;
    throw error;
  }
}
