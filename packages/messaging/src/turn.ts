import type { EventBody, EventOf, EventType, Heard } from '@payroll/events';
import { errorForLog, systemOrigin } from '@payroll/kernel';
import type { Log } from '@payroll/process';
import type { Applied, Command, CommandRunner } from '@payroll/store';
import { currentTraceparent, stepOf, wordsOfCommand } from '@payroll/telemetry';

/** What applies events: a service's `CommandRunner`. */
export type EventRunner = Pick<CommandRunner, 'apply' | 'applyAll'>;

/** Applies the events of a type: their bodies are its input. */
export type EventCommand<T extends EventType = EventType> = Command<EventBody<T>, unknown>;

type HeardEvent = Heard<EventOf<EventType>>;

interface Joined {
  command: EventCommand;
  event: HeardEvent;
  traceparent: string | undefined;
}

/** Events of one workspace that are applied in one transaction; if that fails, each in its own. */
export class Turn {
  /** How many were applied here for the first time: what comes again costs next to nothing. */
  fresh = 0;
  private readonly joined: Joined[] = [];
  private readonly decided = Promise.withResolvers<readonly Applied[] | null>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: { commands: EventRunner; log: Log }) {}

  /** To be called before the turn is taken. Resolves or rejects as if the event were applied alone. */
  async apply(command: EventCommand, event: HeardEvent): Promise<Applied> {
    const place = this.joined.push({ command, event, traceparent: currentTraceparent() }) - 1;
    const together = await this.decided.promise;
    const applied = together ? together[place]! : await this.alone(command, event);
    if (applied === 'applied') this.fresh++;
    return applied;
  }

  private async alone(command: EventCommand, event: HeardEvent): Promise<Applied> {
    const { input, origin } = inputOf(event);
    const alone = this.last.then(() => this.options.commands.apply(command, input, event, origin));
    this.last = alone.catch(() => undefined);
    return await alone;
  }

  async take(): Promise<void> {
    this.decided.resolve(this.joined.length > 1 ? await this.together() : null);
  }

  /** Null when nothing was applied: one event must not keep the others from being applied. */
  private async together(): Promise<readonly Applied[] | null> {
    const { commands, log } = this.options;
    const items = this.joined.map((one) => ({ ...inputOf(one.event), event: one.event, command: commandOf(one) }));
    try {
      return await commands.applyAll(items);
    } catch (error) {
      log.warn({ events: items.length, error: errorForLog(error) }, 'Events are applied one by one');
      return null;
    }
  }
}

function inputOf({ body, workspaceId, requestId }: HeardEvent) {
  return { input: body, origin: systemOrigin(workspaceId, 'event', requestId) };
}

/** What it emits continues the trace of its own event. */
function commandOf({ command, traceparent }: Joined): EventCommand {
  return {
    ...command,
    begin: async (rows, input) => {
      const decide = await command.begin(rows, input);
      return (tx) => stepOf(traceparent, wordsOfCommand(command.name), {}, async () => await decide(tx));
    },
  };
}
