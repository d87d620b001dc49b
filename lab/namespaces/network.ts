import { execFileSync } from 'node:child_process';

export const BRIDGE = 'lab';
/** This process, on the bridge: the machine outside of all others. */
export const OUTSIDE = '10.0.0.254';

export const ip = (...args: string[]): string => execFileSync('ip', args, { encoding: 'utf8' });

export function makeBridge(): void {
  ip('link', 'set', 'lo', 'up');
  ip('link', 'add', BRIDGE, 'type', 'bridge');
  ip('addr', 'add', `${OUTSIDE}/24`, 'dev', BRIDGE);
  ip('link', 'set', BRIDGE, 'up');
}

/** A network namespace of this name, at one port of the bridge. If its link is cut, others get no sign of it. */
export class Host {
  constructor(
    readonly name: string,
    readonly address: string,
  ) {
    ip('netns', 'add', name);
    ip('link', 'add', `${name}-port`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
    ip('link', 'set', `${name}-port`, 'master', BRIDGE, 'up');
    ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
    ip('-n', name, 'link', 'set', 'eth0', 'up');
    ip('-n', name, 'link', 'set', 'lo', 'up');
  }

  cut(): void {
    ip('link', 'set', `${this.name}-port`, 'down');
  }

  join(): void {
    ip('link', 'set', `${this.name}-port`, 'up');
  }
}
