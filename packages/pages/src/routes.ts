import type { FastifyContextConfig, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, Exchange, Page } from './exchange.js';
import { problemsOf, type Wording } from './sent-form.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A form that works without being signed in. */
    isForStrangers?: true;
  }
}

/** The one exchange of a request. */
export type ExchangeOf<At extends Exchange> = (request: FastifyRequest, reply: FastifyReply) => At;

/** Handlers by method and path: a page (`GET /account`) or a submitted form (`POST /sign-in`). */
export type RouteTable<At extends Exchange> = Readonly<Record<string, (at: At) => Promise<Answer>>>;

export function answering<At extends Exchange>(
  table: RouteTable<At>,
  exchangeOf: ExchangeOf<At>,
  config: FastifyContextConfig = {},
): FastifyPluginAsync {
  return (app) => {
    for (const [route, answerTo] of Object.entries(table)) {
      const [method = '', url = ''] = route.split(' ');
      app.route({
        ...{ method, url, config },
        handler: async (request, reply) => {
          const at = exchangeOf(request, reply);
          return await at.answer(await answerTo(at));
        },
      });
    }
    return Promise.resolve();
  };
}

/** A page with a form that is sent to its own address. */
export interface FormPage<At extends Exchange, Entered> {
  enter: (at: At) => Promise<Entered>;
  view: (entered: Entered) => Page;
  send: (entered: Entered, at: At) => Promise<Answer>;
  /** For what can be wrong with the form, which is then shown again; without it a refusal is a page of its own. */
  wording?: Wording;
}

export function formPage<At extends Exchange, Entered>(
  path: string,
  { enter, view, send, wording }: FormPage<At, Entered>,
): RouteTable<At> {
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
