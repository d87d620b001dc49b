import { setTimeout as pause } from 'node:timers/promises';
import type { ControlPlane } from './control-plane.js';
import type { Deployment } from './deployment.js';
import { type Node, killPod } from './machines.js';
import type { Promised } from './verdict.js';

export interface Cast {
  plane: ControlPlane;
  deployment: Deployment;
  nodes: readonly Node[];
  /** Requests so far. */
  sent: () => number;
  isShort: boolean;
}

export interface Scene {
  name: string;
  title: string;
  promised: Promised;
  /** From the strike until all requests succeed again; returns findings. */
  act: (cast: Cast) => Promise<string[] | void>;
  /** Afterwards, under load too. */
  repair?: (cast: Cast) => Promise<void>;
}

const REQUESTS = 15_000;
const CUT_MS = 90_000;
const WATCHED_MS = 20_000;

const killOne = async ({ deployment }: Cast, name: string): Promise<void> => {
  const [pod] = await deployment.podsOf(name);
  killPod(pod!.metadata.uid);
  await pause(WATCHED_MS);
};

export const SCENES: readonly Scene[] = [
  {
    name: 'upgrade',
    title: 'upgrades and rolls back of all',
    promised: 'nothing fails',
    act: async ({ deployment, sent, isShort }) => {
      const end = sent() + (isShort ? 0 : REQUESTS);
      do {
        await deployment.roll(2);
        await deployment.roll(1);
      } while (sent() < end);
    },
  },
  {
    name: 'drain',
    title: 'a node drained',
    promised: 'nothing fails',
    act: async ({ plane, deployment, nodes }) => {
      const [, { name }] = nodes as [Node, Node, Node];
      await plane.kubectl('drain', name, '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=10m');
      await deployment.servesWithoutNode();
      const left = (await deployment.pods()).filter(({ spec }) => spec.nodeName === name);
      await pause(WATCHED_MS);
      return left.map(({ metadata }) => `${metadata.name} is still on the drained node`);
    },
    repair: async ({ plane, nodes }) => void (await plane.kubectl('uncordon', nodes[1]!.name)),
  },
  {
    name: 'cut',
    title: 'a node cut off',
    promised: { wholeWithinMs: 60_000 },
    act: async ({ nodes }) => {
      nodes[2]!.cut();
      await pause(CUT_MS);
    },
    repair: async ({ nodes }) => nodes[2]!.join(),
  },
  {
    name: 'nats',
    title: 'a server of NATS killed',
    promised: { wholeWithinMs: 5_000 },
    act: async (cast) => await killOne(cast, 'nats'),
  },
  {
    name: 'balancer',
    title: 'a balancer killed',
    promised: { wholeWithinMs: 5_000 },
    act: async (cast) => await killOne(cast, 'balancer'),
  },
];
