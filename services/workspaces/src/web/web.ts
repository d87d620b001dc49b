import type { EntityManager } from '@mikro-orm/postgresql';
import type { Log, Deployment } from '@payroll/runtime';
import type { Bus, Commands } from '@payroll/commands';
import type { FastifyPluginAsync } from 'fastify';
import type { Mailer } from '../mail/mailer.js';
import type { SecondFactors } from '../accounts/second-factor.js';
import type { Sessions } from '../accounts/sessions.js';

export interface WebSettings {
  deployment: Deployment;
  listenHost: string;
  listenPort: number;
  /** Public origin of the pages, `https://accounts.example.com`; their cookies and forms belong to it. */
  origin: string;
  /** URLs shown to integrators and assistants; null if there is no such server. */
  restUrl: string;
  mcpUrl: string | null;
  trustedProxies: readonly string[];
}

export interface WebDependencies {
  settings: WebSettings;
  em: EntityManager;
  commands: Commands;
  /** For questions to contracts, which owns the workers. */
  bus: Pick<Bus, 'request'>;
  sessions: Sessions;
  secondFactors: SecondFactors;
  /** Null if this deployment sends no mail. */
  mailer: Mailer | null;
  log: Log;
}

export type RoutePlugin = (web: WebDependencies) => FastifyPluginAsync;

export interface WebRoutes {
  /** For people: HTML and forms. Every POST is refused unless it comes from a form that this server rendered. */
  pages: readonly RoutePlugin[];
  /** For programs: without form parser and form guard; they parse and refuse requests themselves. */
  endpoints: readonly RoutePlugin[];
}
