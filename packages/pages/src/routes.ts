import type { FastifyContextConfig, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { PageResponse, PageContext, PageView } from './page-context.js';
import { problemsOf, type FieldMessages } from './sent-form.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A form that works without being signed in. */
    isForStrangers?: true;
  }
}

/** The one exchange of a request. */
export type ContextFactory<At extends PageContext> = (request: FastifyRequest, reply: FastifyReply) => At;

/** Handlers by method and path: a page (`GET /account`) or a submitted form (`POST /sign-in`). */
export type RouteTable<At extends PageContext> = Readonly<Record<string, (at: At) => Promise<PageResponse>>>;

export function mountRoutes<At extends PageContext>(
  table: RouteTable<At>,
  exchangeOf: ContextFactory<At>,
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
export interface FormPage<At extends PageContext, Entered> {
  load: (at: At) => Promise<Entered>;
  view: (entered: Entered) => PageView;
  submit: (entered: Entered, at: At) => Promise<PageResponse>;
  /** For what can be wrong with the form, which is then shown again; without it a refusal is a page of its own. */
  wording?: FieldMessages;
}

export function formPage<At extends PageContext, Entered>(
  path: string,
  { load, view, submit, wording }: FormPage<At, Entered>,
): RouteTable<At> {
  return {
    [`GET ${path}`]: async (at) => view(await load(at)),
    [`POST ${path}`]: async (at) => {
      const entered = await load(at);
      try {
        return await submit(entered, at);
      } catch (error) {
        if (wording === undefined) throw error;
        return { ...view(entered), problems: problemsOf(error, wording) };
      }
    },
  };
}
