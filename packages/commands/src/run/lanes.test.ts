import { describe, expect, it } from 'vitest';
import { Lanes } from './lanes.js';

const LONG = { withinMs: 10_000 };

/** Work that records its start and ends on a signal. */
function works() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => (): Promise<string> => {
    begun.push(name);
    return new Promise((resolve) => ends.set(name, () => resolve(name)));
  };
  return { begun, work, end: (name: string) => ends.get(name)!() };
}

describe('lanes', () => {
  it('run work of one key in sequence and work of different keys concurrently', async () => {
    const lanes = new Lanes(2);
    const { begun, work, end } = works();
    const all = ['a1', 'a2', 'b1'].map((name) => lanes.run(name[0]!, LONG, work(name)));
    await expect.poll(() => begun).toEqual(['a1', 'b1']);
    end('a1');
    await expect.poll(() => begun).toEqual(['a1', 'b1', 'a2']);
    end('b1');
    end('a2');
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1']);
  });

  it('take keys in turn, even if one key has a long queue', async () => {
    const lanes = new Lanes(1);
    const { begun, work, end } = works();
    const all = ['a1', 'a2', 'a3', 'b1'].map((name) => lanes.run(name[0]!, LONG, work(name)));
    for (const name of ['a1', 'a2', 'b1', 'a3']) {
      await expect.poll(() => begun.at(-1)).toBe(name);
      end(name);
    }
    await Promise.all(all);
  });

  it('refuse work that has waited too long, without starting it', async () => {
    const lanes = new Lanes(1);
    const { begun, work, end } = works();
    const first = lanes.run('a', LONG, work('first'));
    await expect(lanes.run('b', { withinMs: 5 }, work('late'))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    end('first');
    await first;
    expect(await lanes.run('b', LONG, () => Promise.resolve('next'))).toBe('next');
    expect(begun).toEqual(['first']);
  });

  it('continue after a failure', async () => {
    const lanes = new Lanes(1);
    await expect(lanes.run('a', LONG, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await lanes.run('a', LONG, () => Promise.resolve(1))).toBe(1);
  });

  it('limit background work to half of the places', async () => {
    const lanes = new Lanes(2);
    const { begun, work, end } = works();
    const job = { ...LONG, isJob: true };
    const all = [lanes.run('a', job, work('job 1')), lanes.run('b', job, work('job 2'))];
    all.push(lanes.run('c', LONG, work('command')));
    await expect.poll(() => begun).toEqual(['job 1', 'command']);
    end('command');
    end('job 1');
    await expect.poll(() => begun).toEqual(['job 1', 'command', 'job 2']);
    end('job 2');
    await Promise.all(all);
  });

  it('refuse work that waits for other work, because both would deadlock', async () => {
    const lanes = new Lanes(2);
    await expect(lanes.run('a', LONG, () => lanes.run('b', LONG, () => Promise.resolve()))).rejects.toThrow(
      'A command runs another one',
    );
  });
});
