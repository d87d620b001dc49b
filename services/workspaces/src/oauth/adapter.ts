import type { EntityManager } from '@mikro-orm/postgresql';
import type { Adapter, AdapterFactory } from 'oidc-provider';
import { ArtifactAdapter } from './artifact-adapter.js';
import { ClientAdapter } from './client-adapter.js';
import type { SealedBox } from './sealed-box.js';

/** Where the authorization server keeps its state: in Postgres, so that restarts and other processes change nothing. */
export function createAdapter(em: EntityManager, box: SealedBox): AdapterFactory {
  return (kind) => {
    switch (kind) {
      case 'Client':
        return new ClientAdapter(em);
      case 'Session':
        return forgetful;
      default:
        return new ArtifactAdapter(em, box, kind);
    }
  };
}

const nothing = (): Promise<void> => Promise.resolve();

/**
 * Who is signed in is the web session's matter alone: each authorization asks it anew, so that signing out there is
 * signing out here. The provider's own session begins and ends within one request.
 */
const forgetful: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUserCode: nothing,
  findByUid: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
};
