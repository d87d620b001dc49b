import type { FastifyContextConfig } from 'fastify';
import { Exchange, type Answer, type Page } from './exchange.js';
import { problemsOf, type Wording } from './sent-form.js';
import type { Routes } from './web.js';

/** What is answered to whoever looks at a path (`GET /account`), or sends a form to it (`POST /sign-in`). */
export type RouteTable = Readonly<Record<string, (at: Exchange) => Promise<Answer>>>;

export function answering(table: RouteTable, config: FastifyContextConfig = {}): Routes {
  return (web) => (app) => {
    for (const [route, answerTo] of Object.entries(table)) {
      const [method = '', url = ''] = route.split(' ');
      app.route({
        ...{ method, url, config },
        handler: async (request, reply) => {
          const at = Exchange.of(web, request, reply);
          return await at.answer(await answerTo(at));
        },
      });
    }
    return Promise.resolve();
  };
}

/** A page with a form that is sent to its own address. */
export interface FormPage<Entered> {
  enter: (at: Exchange) => Promise<Entered>;
  view: (entered: Entered) => Page;
  send: (entered: Entered, at: Exchange) => Promise<Answer>;
  /** For what can be wrong with the form, which is then shown again; without it a refusal is a page of its own. */
  wording?: Wording;
}

export function formPage<Entered>(path: string, { enter, view, send, wording }: FormPage<Entered>): RouteTable {
  return {
    [`GET ${path}`]: async (at) => view(await enter(at)),
    [`POST ${path}`]: async (at) => {
      const entered = await enter(at);
      try {
        return await send(entered, at);
      } catch (error) {
        if (wording === undefined) throw error;
        return { ...view(entered), problems: problemsOf(error, wording) };
      }
    },
  };
}
