import type { RouteTable } from '../routes.js';
import { dataFile } from './data.js';
import { employersPage } from './employers.js';

/** Pages of a person, over all workspaces that they belong to. */
export const ownPages: RouteTable = {
  'GET /work': employersPage,
  'GET /account/data.json': dataFile,
};
