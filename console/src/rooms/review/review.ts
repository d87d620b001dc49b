import type { RouteTable } from '../../routes.js';
import { confirmChosen } from './approve-chosen.js';
import { decideOne } from './decide-one.js';
import { showPiece } from './piece-page.js';
import { queue } from './queue.js';
import { approveChosen } from './results.js';

const ROOM = '/workspaces/:workspaceId/review';

export const reviewPages: RouteTable = {
  [`GET ${ROOM}`]: queue,
  [`POST ${ROOM}/confirm`]: confirmChosen,
  [`POST ${ROOM}/approve`]: approveChosen,
  [`GET ${ROOM}/timesheet/:id`]: showPiece('timesheet'),
  [`POST ${ROOM}/timesheet/:id/approve`]: decideOne('timesheet', 'approve'),
  [`POST ${ROOM}/timesheet/:id/reject`]: decideOne('timesheet', 'reject'),
  [`GET ${ROOM}/milestone/:id`]: showPiece('milestone'),
  [`POST ${ROOM}/milestone/:id/approve`]: decideOne('milestone', 'approve'),
  [`POST ${ROOM}/milestone/:id/reject`]: decideOne('milestone', 'reject'),
};
