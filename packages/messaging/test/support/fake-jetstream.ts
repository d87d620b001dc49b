import type { NatsConnection } from 'nats';
import { NatsError } from 'nats';

/** NATS says so where a stream or a consumer is not there. */
function missing(code: 10014 | 10059): NatsError {
  return Object.assign(new NatsError('not found', '404'), {
    api_error: { code: 404, err_code: code, description: '' },
  });
}

type Part = Record<string, unknown>;

/** JetStream's management of one stream and one consumer; what it is told is kept. */
export class FakeJetStream {
  stream: Part | null = null;
  consumer: Part | null = null;
  /** What it does not take. */
  refuses: string | null = null;
  readonly told: [string, Part][] = [];
  /** How often it was asked whether the stream or the consumer is there. */
  looks = 0;
  isBusy = false;
  /** No stream at all. */
  isMissing = false;
  /** Beside the settings of what it is asked about. */
  state: Part = {};
  account: Part = { storage: 0, limits: { max_storage: -1 } };

  get connection(): NatsConnection {
    const { streams, consumers } = this;
    const manager = { streams, consumers, getAccountInfo: () => Promise.resolve(this.account) };
    return { jetstreamManager: () => Promise.resolve(manager) } as unknown as NatsConnection;
  }

  private readonly streams = {
    info: () => this.infoOf(this.stream, 10059),
    add: (config: Part) => this.take('add', config, () => (this.stream = config)),
    update: (_name: string, config: Part) => this.take('update', config, () => (this.stream = config)),
  };

  private readonly consumers = {
    info: () => this.infoOf(this.consumer, 10014),
    add: (_stream: string, config: Part) => this.take('add', config, () => (this.consumer = config)),
    update: (_stream: string, _name: string, config: Part) =>
      this.take('update', config, () => (this.consumer = { ...this.consumer, ...config })),
  };

  private infoOf(config: Part | null, code: 10014 | 10059): Promise<Part> {
    this.looks += 1;
    if (this.isMissing) return Promise.reject(missing(10059));
    if (this.isBusy) return Promise.reject(new NatsError('busy', '500'));
    return config ? Promise.resolve({ config, ...this.state }) : Promise.reject(missing(code));
  }

  private take(what: string, config: Part, keep: () => Part): Promise<Part> {
    if (this.refuses === what) return Promise.reject(new NatsError('not now', '500'));
    this.told.push([what, config]);
    return Promise.resolve({ config: keep(), ...this.state });
  }
}
