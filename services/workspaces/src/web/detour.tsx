import { DomainError } from '@payroll/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PASSWORD_NOT_RECENT } from '../commands/access.js';
import { FormTooOld } from './form-guard.js';
import { draftOf, pageOf } from './form-page.js';
import { sendPage } from './send-page.js';
import { SignInFields } from './sign-in-fields.js';
import { confirmPath, Detour, signedIn, signInPath } from './visitor.js';
import type { Web } from './web.js';

/**
 * Answers what was thrown by sending the browser where it has to go first. A form that was sent has done nothing; what was
 * typed into it waits on our side, or in the sign-in page while nobody is signed in, and never in an address.
 */
export async function takeDetour(
  web: Web,
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const detour = await detourOf(web, thrown, request);
  if (detour === null) return false;
  if (detour.to === 'password') await askPassword(web, detour, request, reply);
  else if (request.method === 'GET') await reply.redirect(signInPath(detour.returnPath), 303);
  else await askSignIn(web, request, reply);
  return true;
}

async function detourOf(web: Web, thrown: unknown, request: FastifyRequest): Promise<Detour | null> {
  if (thrown instanceof Detour) return thrown;
  if (isPasswordNotRecent(thrown)) return new Detour('password', pageOf(request));
  const isLost = thrown instanceof FormTooOld && !request.routeOptions.config.isForStrangers;
  return isLost && !(await signedIn(web, request)) ? new Detour('sign-in', pageOf(request)) : null;
}

function isPasswordNotRecent(thrown: unknown): boolean {
  const { path, code } = PASSWORD_NOT_RECENT;
  return (
    thrown instanceof DomainError && (thrown.details ?? []).some((each) => each.path === path && each.code === code)
  );
}

async function askPassword(web: Web, detour: Detour, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.method !== 'GET') await keepDraft(web, request);
  await reply.redirect(confirmPath(detour.returnPath), 303);
}

async function askSignIn(web: Web, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const draft = draftOf(request);
  const body = (
    <>
      <p class="lead">You are no longer signed in, so nothing was done. Sign in, and what you typed will be back.</p>
      <SignInFields to={draft.path} email="" problems={[]} draft={JSON.stringify(draft)} />
    </>
  );
  await sendPage(web, request, reply, { title: 'Sign in to continue', status: 401, body });
}

/** Until the page that it was typed into is shown again. */
export async function keepDraft(web: Web, request: FastifyRequest): Promise<void> {
  const visitor = await signedIn(web, request);
  if (visitor) await web.sessions.keepDraft(visitor, draftOf(request));
}
