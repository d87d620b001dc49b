import * as kit from '@payroll/pages';
import { asDomainError } from '@payroll/store';
import type { OwnExchange } from './exchange.js';

export async function answerError(at: OwnExchange, failure: unknown): Promise<kit.Answer> {
  return await kit.answerError(at, failure, { log: at.web.log, asRefusal, keepTyped: requireSomebody });
}

function asRefusal(thrown: unknown): unknown {
  return thrown instanceof kit.Detour || thrown instanceof kit.FormTooOld ? thrown : asDomainError(thrown);
}

/**
 * Forms of signed-in people require sign-in again; their fields are passwords, so none are saved. Forms for strangers
 * work without a session.
 */
async function requireSomebody(at: OwnExchange): Promise<void> {
  if (at.request.routeOptions.config.isForStrangers !== true) await at.requireSignIn();
}
