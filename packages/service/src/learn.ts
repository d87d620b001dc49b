import { noAnswer, type Bus } from '@payroll/bus';
import type { Command } from '@payroll/store';
import { ask } from '@payroll/messaging';
import type { ServiceParts } from './definition.js';

/** Asks by this bus, and applies as events that arrive are applied. */
export function learnBy(bus: Bus, apply: ServiceParts['apply']): ServiceParts['learn'] {
  return async (commands, about, isNews = () => true) => {
    const event = await ask(bus, Object.keys(commands) as (keyof typeof commands)[], about);
    if (event === null || !isNews(event)) return event;
    const applied = await apply(commands[event.type] as Command<typeof event.body, unknown>, event);
    // Its publisher, or this service, is still in the history before a switch of databases.
    if (applied === 'elsewhere') throw noAnswer();
    return event;
  };
}
